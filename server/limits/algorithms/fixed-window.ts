import type { FixedWindow } from '../rules/compiled.ts'
import type { Charge } from '../store.ts'
import { type Answer, charged, chargeFor, type Ledger, passes } from './ledger.ts'

interface Window {
  /** The first charge, and not the border, so that nothing is given back that another window counted. */
  since: number
  end: number
  count: number
}

/** Counts what is charged in a window and forgets it when the window ends: at most the limit in each, up to twice as many
 *  across a border. A window that has begun is kept until its end, even where time steps back or boundaries change.
 *  The counter of Redis' own documentation (INCR, "pattern: rate limiter", with EXPIRE), its end kept beside the count. */
export class FixedWindowCounter implements Ledger {
  readonly #windows: Window[] = []

  get emptyAt(): number {
    let last = 0
    for (const { end } of this.#windows) if (end > last) last = end
    return last
  }

  ask(now: number, charge: Charge): Answer[] {
    const { cost, rules } = chargeFor('fixed-window', charge)
    const answers: Answer[] = []
    for (const rule of rules) answers.push(answerOf(rule, this.#windows[answers.length], now, cost))
    return answers
  }

  take(now: number, charge: Charge, answers: readonly Answer[]): void {
    const { cost, rules } = chargeFor('fixed-window', charge)
    let index = 0
    for (const rule of rules) {
      const window = this.#windows[index] ?? { since: 0, end: 0, count: 0 }
      if (now >= window.end) begin(window, rule, now)
      window.count += cost
      this.#windows[index] = window
      const answer = answers[index]
      if (answer) charged(answer, Math.max(0, rule.limit - window.count), window.end - now)
      index += 1
    }
  }

  /** What an ended window counted matters to nobody. */
  refund(now: number, at: number, { cost }: Charge): void {
    for (const window of this.#windows) {
      const isHeld = window.since <= at && at < window.end && now < window.end
      if (isHeld) window.count = Math.max(0, window.count - cost)
    }
  }
}

function answerOf(rule: FixedWindow, window: Window | undefined, now: number, cost: number): Answer {
  const isKept = window !== undefined && now < window.end
  const count = isKept ? window.count : 0
  const answer = passes(Math.max(0, rule.limit - count), 0)
  if (count === 0 && cost <= rule.limit) return answer
  const leftMs = (isKept ? window.end : endAt(rule, now)) - now
  if (count > 0) answer.resetMs = leftMs
  if (count + cost > rule.limit) answer.waitMs = leftMs
  return answer
}

function begin(window: Window, rule: FixedWindow, now: number): void {
  window.since = now
  window.end = endAt(rule, now)
  window.count = 0
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
