import type { FixedWindow } from '../rules/compiled.ts'
import type { Charge } from '../store.ts'
import { type Answer, charged, chargeFor, isHalfUsed, type Ledger, passes } from './ledger.ts'

/** The fixed window counter: at most the limit in each window, and up to twice as much across a boundary. A window that
 *  has begun lasts until its end, even when the clock steps back or boundaries change. The counter of Redis' own
 *  documentation (INCR, "pattern: rate limiter", with EXPIRE), with its end stored beside the count. */
export class FixedWindowCounter implements Ledger {
  /** Three numbers for each rule: the instant of the window's first charge (not of its boundary, so that a refund of an
   *  earlier window's charge is recognised), the instant of its end, and its count. */
  #windows: number[] = []

  get emptyAt(): number {
    let last = 0
    for (let at = END; at < this.#windows.length; at += WIDTH) last = Math.max(last, this.#windows[at] ?? 0)
    return last
  }

  ask(now: number, charge: Charge): Answer[] {
    const { cost, rules } = chargeFor('fixed-window', charge)
    const answers = new Array<Answer>(rules.length)
    let index = 0
    for (const rule of rules) {
      const at = index * WIDTH
      const end = this.#windows[at + END] ?? 0
      const count = now < end ? (this.#windows[at + COUNT] ?? 0) : 0
      const answer = passes(Math.max(0, rule.limit - count), count > 0 ? end - now : 0)
      if (count + cost > rule.limit) answer.waitMs = (now < end ? end : endAt(rule, now)) - now
      answers[index] = answer
      index += 1
    }
    return answers
  }

  take(now: number, charge: Charge, answers?: readonly Answer[]): boolean {
    const { cost, rules } = chargeFor('fixed-window', charge)
    if (this.#windows.length === 0) this.#windows = windowsFrom(now, rules)
    let isHot = false
    let index = 0
    for (const rule of rules) {
      const at = index * WIDTH
      if (now >= (this.#windows[at + END] ?? 0)) {
        this.#windows[at] = now
        this.#windows[at + END] = endAt(rule, now)
        this.#windows[at + COUNT] = 0
      }
      const count = (this.#windows[at + COUNT] ?? 0) + cost
      this.#windows[at + COUNT] = count
      const remaining = Math.max(0, rule.limit - count)
      if (isHalfUsed(remaining, rule)) isHot = true
      const answer = answers?.[index]
      if (answer) charged(answer, remaining, (this.#windows[at + END] ?? 0) - now)
      index += 1
    }
    return isHot
  }

  /** Only windows that have not ended are refunded. */
  refund(now: number, at: number, { cost }: Charge): void {
    for (let first = 0; first < this.#windows.length; first += WIDTH) {
      const since = this.#windows[first] ?? 0
      const end = this.#windows[first + END] ?? 0
      if (since > at || at >= end || now >= end) continue
      this.#windows[first + COUNT] = Math.max(0, (this.#windows[first + COUNT] ?? 0) - cost)
    }
  }
}

const END = 1
const COUNT = 2
const WIDTH = 3

/** Windows that begin now. Copied, because an array that grew has spare capacity, and every key keeps one. */
function windowsFrom(now: number, rules: readonly FixedWindow[]): number[] {
  const windows: number[] = []
  for (const rule of rules) windows.push(now, endAt(rule, now), 0)
  return windows.slice()
}

/** The instant at which a window that begins now ends: the next boundary. Before the first and after the last boundary,
 *  windows of `windowMs` are counted from that one. */
function endAt({ windowMs, boundaries }: FixedWindow, now: number): number {
  const next = boundaries.find((boundary) => boundary > now)
  if (next !== undefined && next !== boundaries[0]) return next
  const from = next ?? boundaries.at(-1)
  if (from === undefined) return now + windowMs
  return from + (Math.floor((now - from) / windowMs) + 1) * windowMs
}
