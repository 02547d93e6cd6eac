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

/** Both buckets, with one arithmetic: a level that rises with each charge and leaks steadily.
 *
 *  The leaky bucket is that of ITU-T I.371, which as a meter is its generic cell rate algorithm (GCRA): it admits a charge
 *  while its permits fit in. As a queue it also gives each call a turn, one permit after another at the rate of the
 *  leak, as far away as its set lets calls wait. Turns are rounded up to the millisecond, so two may be that much closer
 *  than the rate says; where several rules pace, the latest turn is the call's, and each rule's own turns are even.
 *
 *  The token bucket is that of RFC 2697 (a committed rate and burst) with cost in place of bytes: full at first, it gains
 *  tokens continuously, and the tokens that it lacks are the level here. In T ms it admits its burst and what T ms refill.
 *  Its closest relative is the script `request_rate_limiter` of Spring Cloud Gateway, which refills by whole seconds.
 *
 *  All numbers are whole and below 2^53, so nothing is rounded and no
 *  remainder lost; a product of leak and elapsed time may be larger, but then exceeds any level.
 *
 *  Forced charges fill a bucket to twice its capacity at most; what overflows is dropped. Time that steps back counts as
 *  that of the last charge. A limit that changes keeps the permits of the level, and leaks by its own rate from the last
 *  charge on. A refund returns what cannot have leaked since: never more can pass than if nothing had been charged.
 *  The twin of lua/bucket.lua. */
export class BucketLedger implements Ledger {
  readonly #algorithm: 'leaky-bucket' | 'token-bucket'
  /** The time of the last charge, and of the levels. */
  #time = 0
  /** Charges before this instant are not refunded: they are not counted here, or what they added has overflowed. */
  #since = 0
  /** For each rule its level and the scale of its units; empty while all are. */
  readonly #levels: number[] = []
  #emptyAt = 0

  constructor(algorithm: 'leaky-bucket' | 'token-bucket') {
    this.#algorithm = algorithm
  }

  get emptyAt(): number {
    return this.#emptyAt
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
    if (!this.#isFor(rules)) this.#empty(now)
    const time = Math.max(now, this.#time)
    let since = this.#since
    let emptyAt = time
    let isHot = false
    let index = 0
    for (const rule of rules) {
      const brim = brimOf(rule)
      const kept = this.#keptLevel(index, rule)
      // A limit that has become smaller may be what it ran over.
      if (kept >= brim) since = Math.max(since, this.#time + 1)
      const poured = Math.max(0, kept - rule.leak * (time - this.#time)) + unitsOf(cost, rule)
      const level = Math.min(poured, brim)
      if (poured >= brim) since = time + 1
      emptyAt = Math.max(emptyAt, time + leakTime(level, rule))
      this.#keep(index, level, rule)
      const remaining = remainingAt(level, rule)
      if (isHalfUsed(remaining, rule)) isHot = true
      const answer = answers?.[index]
      if (answer) charged(answer, remaining, resetAt(level, rule, time - now))
      index += 1
    }
    this.#time = time
    this.#since = since
    this.#emptyAt = emptyAt
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
    this.#since = since
    if (isEmpty) this.#empty(0)
  }

  #empty(now: number): void {
    this.#levels.length = 0
    this.#time = now
    this.#since = now
    this.#emptyAt = 0
  }

  #isFor(rules: readonly AnyBucket[]): boolean {
    return this.#levels.length === rules.length * WIDTH
  }

  #keep(index: number, level: number, { scale }: AnyBucket): void {
    this.#levels[index * WIDTH] = level
    this.#levels[index * WIDTH + SCALE] = scale
  }

  /** What is left of a level by that time, in the units of the rule that asks. */
  #levelAt(time: number, index: number, rule: AnyBucket): number {
    return Math.max(0, this.#keptLevel(index, rule) - rule.leak * (time - this.#time))
  }

  #keptLevel(index: number, rule: AnyBucket): number {
    const at = index * WIDTH
    return Math.min(convertLevel(this.#levels[at] ?? 0, this.#levels[at + SCALE] ?? rule.scale, rule), brimOf(rule))
  }

  /** A limit that has become smaller may be what a level runs over. */
  #sinceFor(rules: readonly AnyBucket[]): number {
    let index = 0
    for (const rule of rules) {
      if (this.#keptLevel(index, rule) >= brimOf(rule)) return this.#time + 1
      index += 1
    }
    return this.#since
  }
}

const SCALE = 1
const WIDTH = 2
