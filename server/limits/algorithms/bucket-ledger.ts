import type { Charge } from '../store.ts'
import {
  type AnyBucket,
  answerAt,
  brimOf,
  convertLevel,
  leakTime,
  remainingAt,
  resetAt,
  unitsOf,
} from './bucket-level.ts'
import { type Answer, charged, chargeFor, isHalfUsed, type Ledger } from './ledger.ts'

/** The one arithmetic of both buckets: a level that rises with each charge and leaks steadily. What a token bucket lacks
 *  of its tokens is the level of a leaky bucket. All numbers are whole and below 2^53, so nothing is rounded and no
 *  remainder lost; a product of leak and elapsed time may be larger, but then exceeds any level.
 *
 *  Forced charges fill a bucket to twice its capacity at most; what runs over is forgotten. Time that steps back counts as
 *  that of the last charge. A limit that changes keeps the permits of the level, and leaks by its own rate from the last
 *  charge on. A refund gives back what cannot have leaked since: never more can pass than if nothing had been charged.
 *  The twin of lua/bucket.lua. */
export class BucketLedger implements Ledger {
  readonly #algorithm: 'leaky-bucket' | 'token-bucket'
  /** Side by side: TIME, SINCE, EMPTY_AT and, for each rule, a level and its scale. Nothing while all are empty. */
  #state: number[] = []

  constructor(algorithm: 'leaky-bucket' | 'token-bucket') {
    this.#algorithm = algorithm
  }

  get emptyAt(): number {
    return this.#state[EMPTY_AT] ?? 0
  }

  ask(now: number, charge: Charge): Answer[] {
    const { cost, rules } = chargeFor(this.#algorithm, charge)
    const isKept = this.#isFor(rules)
    const time = isKept ? Math.max(now, this.#time) : now
    const answers = new Array<Answer>(rules.length)
    let index = 0
    for (const rule of rules) {
      const level = isKept ? this.#levelAt(time, index, rule) : 0
      answers[index] = answerAt(rule, level, unitsOf(cost, rule), time - now)
      index += 1
    }
    return answers
  }

  take(now: number, charge: Charge, answers?: readonly Answer[]): boolean {
    const { cost, rules } = chargeFor(this.#algorithm, charge)
    if (!this.#isFor(rules)) this.#state = emptyFrom(now, rules)
    const time = Math.max(now, this.#time)
    let since = this.#sinceFor(rules)
    let emptyAt = time
    let isHot = false
    let index = 0
    for (const rule of rules) {
      const poured = this.#levelAt(time, index, rule) + unitsOf(cost, rule)
      const level = Math.min(poured, brimOf(rule))
      if (poured >= brimOf(rule)) since = time + 1
      emptyAt = Math.max(emptyAt, time + leakTime(level, rule))
      this.#keep(index, level, rule)
      const remaining = remainingAt(level, rule)
      if (isHalfUsed(remaining, rule)) isHot = true
      const answer = answers?.[index]
      if (answer) charged(answer, remaining, resetAt(level, rule, time - now))
      index += 1
    }
    this.#state[TIME] = time
    this.#state[SINCE] = since
    this.#state[EMPTY_AT] = emptyAt
    return isHot
  }

  refund(now: number, at: number, charge: Charge): void {
    const { cost, rules } = chargeFor(this.#algorithm, charge)
    const since = this.#sinceFor(rules)
    if (!this.#isFor(rules) || at < since) return
    const elapsedMs = Math.max(0, Math.max(now, this.#time) - at)
    let isEmpty = true
    let index = 0
    for (const rule of rules) {
      const returned = Math.max(0, unitsOf(cost, rule) - rule.leak * elapsedMs)
      const level = Math.max(0, this.#levelAt(this.#time, index, rule) - returned)
      if (level > 0) isEmpty = false
      this.#keep(index, level, rule)
      index += 1
    }
    this.#state[SINCE] = since
    if (isEmpty) this.#state = []
  }

  /** The time of the last charge, and of the levels. */
  get #time(): number {
    return this.#state[TIME] ?? 0
  }

  #isFor(rules: readonly AnyBucket[]): boolean {
    return this.#state.length === LEVELS + rules.length * WIDTH
  }

  #keep(index: number, level: number, { scale }: AnyBucket): void {
    const at = LEVELS + index * WIDTH
    this.#state[at] = level
    this.#state[at + SCALE] = scale
  }

  /** What is left of a level by that time, in the units of the rule that asks. */
  #levelAt(time: number, index: number, rule: AnyBucket): number {
    return Math.max(0, this.#keptLevel(index, rule) - rule.leak * (time - this.#time))
  }

  #keptLevel(index: number, rule: AnyBucket): number {
    const at = LEVELS + index * WIDTH
    return Math.min(convertLevel(this.#state[at] ?? 0, this.#state[at + SCALE] ?? rule.scale, rule), brimOf(rule))
  }

  /** A limit that has become smaller may be what a level runs over. */
  #sinceFor(rules: readonly AnyBucket[]): number {
    let index = 0
    for (const rule of rules) {
      if (this.#keptLevel(index, rule) >= brimOf(rule)) return this.#time + 1
      index += 1
    }
    return this.#state[SINCE] ?? 0
  }
}

const TIME = 0
/** Charges of before this instant are not given back: they are not in here, or what they poured in has run over. */
const SINCE = 1
const EMPTY_AT = 2
const LEVELS = 3
/** Beside a level, in whose units it is. */
const SCALE = 1
const WIDTH = 2

/** Empty buckets. Copied, for an array that grew has room to spare, and there is one for each key. */
function emptyFrom(now: number, rules: readonly AnyBucket[]): number[] {
  const state = [now, now, 0]
  for (const { scale } of rules) state.push(0, scale)
  return state.slice()
}
