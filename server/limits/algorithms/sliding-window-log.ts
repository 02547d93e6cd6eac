import type { BaseRule } from '../rules/compiled.ts'
import type { Charge } from '../store.ts'
import { type Answer, charged, chargeFor, isHalfUsed, type Ledger, neverPasses, passes } from './ledger.ts'

interface Entry {
  readonly at: number
  readonly cost: number
  /** All permits ever taken up to and with this entry, so that any window's sum is one subtraction. */
  readonly total: number
}

/** Remembers every admitted charge for the longest window, so that no window of any position ever holds more than the
 *  limit. An entry counts while it is younger than the window: 5 per second admit one call each 200 ms for ever.
 *  Time that steps back counts as the time of the last entry. Old entries go when one is added, not when asked.
 *  The "sliding window log" of Redis practice (a ZSET scored by time), with the running total of Redisson's ledger. */
export class SlidingWindowLog implements Ledger {
  #entries: Entry[] = []
  #longestMs = 0

  get emptyAt(): number {
    const last = this.#entries.at(-1)
    return last ? last.at + this.#longestMs : 0
  }

  ask(now: number, charge: Charge): Answer[] {
    const { cost, rules } = chargeFor('sliding-window-log', charge)
    const time = this.#notBeforeLast(now)
    const answers = new Array<Answer>(rules.length)
    let index = 0
    for (const rule of rules) {
      answers[index] = this.#answer(now, time, cost, rule)
      index += 1
    }
    return answers
  }

  take(now: number, charge: Charge, answers?: readonly Answer[]): boolean {
    const { cost, rules } = chargeFor('sliding-window-log', charge)
    const at = this.#notBeforeLast(now)
    this.#longestMs = 0
    for (const { windowMs } of rules) if (windowMs > this.#longestMs) this.#longestMs = windowMs
    const stale = this.#firstAfter(at - this.#longestMs)
    if (stale > 0) this.#entries.splice(0, stale)
    this.#entries.push({ at, cost, total: (this.#entries.at(-1)?.total ?? 0) + cost })
    let isHot = false
    let index = 0
    for (const rule of rules) {
      const answer = answers?.[index]
      index += 1
      const remaining = answer ? Math.max(0, answer.remaining - cost) : Math.max(0, rule.limit - this.#usedAt(at, rule))
      if (isHalfUsed(remaining, rule)) isHot = true
      if (answer) charged(answer, remaining, answer.resetMs || at + rule.windowMs - now)
    }
    return isHot
  }

  /** Entries of one instant count alike, so it matters only how many permits that instant keeps. */
  refund(_now: number, at: number, { cost }: Charge): void {
    const from = this.#firstAfter(at - 1)
    const touched = this.#entries.slice(from)
    let left = cost
    let total = touched[0] ? touched[0].total - touched[0].cost : 0
    const kept: Entry[] = []
    for (const entry of touched) {
      const returned = entry.at === at ? Math.min(entry.cost, left) : 0
      left -= returned
      const ownCost = entry.cost - returned
      total += ownCost
      if (ownCost > 0) kept.push({ at: entry.at, cost: ownCost, total })
    }
    this.#entries = this.#entries.slice(0, from).concat(kept)
  }

  #answer(now: number, time: number, cost: number, { limit, windowMs }: BaseRule): Answer {
    const first = this.#entries[this.#firstAfter(time - windowMs)]
    const last = this.#entries.at(-1)
    if (!first || !last) return cost <= limit ? passes(limit, 0) : neverPasses(limit, windowMs)
    const before = first.total - first.cost
    const used = last.total - before
    const resetMs = first.at + windowMs - now
    const remaining = Math.max(0, limit - used)
    if (used + cost <= limit) return passes(remaining, resetMs)
    const leaving = this.#entries[this.#search((entry) => entry.total >= before + used + cost - limit)] ?? last
    return { remaining, resetMs, waitMs: leaving.at + windowMs - now, delayMs: 0 }
  }

  #usedAt(time: number, { windowMs }: BaseRule): number {
    const first = this.#entries[this.#firstAfter(time - windowMs)]
    const last = this.#entries.at(-1)
    return first && last ? last.total - first.total + first.cost : 0
  }

  #notBeforeLast(now: number): number {
    return Math.max(now, this.#entries.at(-1)?.at ?? now)
  }

  #firstAfter(instant: number): number {
    return this.#search((entry) => entry.at > instant)
  }

  /** The index of the first entry that holds, by halving; entries that hold come last. */
  #search(holds: (entry: Entry) => boolean): number {
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const entry = this.#entries[middle]
      if (entry && holds(entry)) high = middle
      else low = middle + 1
    }
    return low
  }
}
