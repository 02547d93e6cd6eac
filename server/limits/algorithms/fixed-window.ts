import type { FixedWindow } from '../rules/compiled.ts'
import type { Charge, RuleAnswer } from '../store.ts'
import { chargeFor, type Ledger, passes } from './ledger.ts'

interface Window {
  /** The first charge, and not the border, so that nothing is given back that another window counted. */
  readonly since: number
  readonly end: number
  readonly count: number
}

/** Counts what is charged in a window and forgets it when the window ends: at most the limit in each, up to twice as many
 *  across a border. A window that has begun is kept until its end, even where time steps back or boundaries change.
 *  The counter of Redis' own documentation (INCR, "pattern: rate limiter", with EXPIRE), its end kept beside the count. */
export class FixedWindowCounter implements Ledger {
  #windows: readonly Window[] = []

  get emptyAt(): number {
    return Math.max(0, ...this.#windows.map((window) => window.end))
  }

  ask(now: number, charge: Charge): readonly RuleAnswer[] {
    const { cost, rules } = chargeFor('fixed-window', charge)
    return this.#windowsAt(now, rules).map(({ end, count }, index) => {
      const limit = rules[index]?.limit ?? 0
      const resetMs = count === 0 ? 0 : end - now
      const waitMs = count + cost <= limit ? 0 : end - now
      return { remaining: Math.max(0, limit - count), resetMs, waitMs, delayMs: 0 }
    })
  }

  take(now: number, charge: Charge): readonly RuleAnswer[] {
    const { cost, rules } = chargeFor('fixed-window', charge)
    this.#windows = this.#windowsAt(now, rules).map((window) => ({ ...window, count: window.count + cost }))
    return this.#windows.map(({ end, count }, index) =>
      passes(Math.max(0, (rules[index]?.limit ?? 0) - count), end - now),
    )
  }

  /** What an ended window counted matters to nobody. */
  refund(now: number, at: number, { cost }: Charge): void {
    this.#windows = this.#windows.map((window) => {
      const isHeld = window.since <= at && at < window.end && now < window.end
      return isHeld ? { ...window, count: Math.max(0, window.count - cost) } : window
    })
  }

  #windowsAt(now: number, rules: readonly FixedWindow[]): readonly Window[] {
    return rules.map((rule, index) => {
      const kept = this.#windows[index]
      return kept && now < kept.end ? kept : { since: now, end: endAt(rule, now), count: 0 }
    })
  }
}

/** When a window ends that begins now: at the next boundary; before the first and behind the last of them, windows lie
 *  side by side from there. */
function endAt({ windowMs, boundaries }: FixedWindow, now: number): number {
  const next = boundaries.find((boundary) => boundary > now)
  if (next !== undefined && next !== boundaries[0]) return next
  const from = next ?? boundaries.at(-1)
  if (from === undefined) return now + windowMs
  return from + (Math.floor((now - from) / windowMs) + 1) * windowMs
}
