import type { FixedWindow } from '#server/limits/rules/compiled.ts'
import type { Charge } from '#server/limits/store.ts'
import type { Model, Past } from '../algorithm-model.ts'

/** Permits refunded at `at` that were charged at `of`. */
interface Refund extends Past {
  readonly of: number
}

/** Each charge falls into the open window, or opens one. A refund applies only to the open window, and only to what was charged
 *  since it was opened. */
export const fixedWindow: Model = {
  countedFrom: (_charge, _past, now) => now,
  refund: (charge, past, now, at) => {
    const refund: Refund = { at: now, of: at, cost: charge.cost, charge }
    return [...past, refund]
  },
  ask: (charge, past, now, cost) =>
    charge.rules.map(({ limit }, i) => {
      const last = windowAfter(past, i)
      const window = last && now < last.end ? last : openWindow(charge, i, now)
      return {
        remaining: Math.max(0, limit - window.count),
        resetMs: window.count === 0 ? 0 : window.end - now,
        waitMs: window.count + cost <= limit ? 0 : window.end - now,
        delayMs: 0,
      }
    }),
}

interface Window {
  readonly openedAt: number
  readonly end: number
  readonly count: number
}

/** Returns the last window of a rule after replaying all charges in order. */
function windowAfter(past: readonly Past[], rule: number): Window | null {
  return past.reduce<Window | null>((last, entry) => {
    const open = last && entry.at < last.end ? last : null
    if (isRefund(entry)) return open && holds(open, entry.of) ? counting(open, -entry.cost) : last
    return counting(open ?? openWindow(entry.charge, rule, entry.at), entry.cost)
  }, null)
}

function holds({ openedAt, end }: Window, instant: number): boolean {
  return openedAt <= instant && instant < end
}

function counting(window: Window, permits: number): Window {
  return { ...window, count: Math.max(0, window.count + permits) }
}

function isRefund(entry: Past): entry is Refund {
  return 'of' in entry
}

function openWindow({ algorithm, rules }: Charge, rule: number, now: number): Window {
  const own = algorithm === 'fixed-window' ? rules[rule] : undefined
  if (!own) throw new Error(`no rule ${rule} of a fixed window`)
  return { openedAt: now, end: nextBorder(own, now), count: 0 }
}

/** Moves from boundary to boundary as far as necessary. */
function nextBorder({ windowMs, boundaries }: FixedWindow, now: number): number {
  if (boundaries.length === 0) return now + windowMs
  const borders = [...boundaries]
  while ((borders[0] ?? 0) > now) borders.unshift((borders[0] ?? 0) - windowMs)
  while ((borders.at(-1) ?? 0) <= now) borders.push((borders.at(-1) ?? 0) + windowMs)
  return borders.find((border) => border > now) ?? Number.NaN
}
