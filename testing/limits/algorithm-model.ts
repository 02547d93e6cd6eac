import type { Charge, RuleAnswer } from '#server/limits/store.ts'

/** A charge that was taken, with the instant from which it counts. */
export interface Past {
  readonly at: number
  readonly cost: number
  readonly charge: Charge
  /** For refunded permits: how long before the refund they had been charged, in milliseconds. */
  readonly refundedAfterMs?: number
}

/** The definition of an algorithm, written to be read: keeps the whole history, and evaluates it again for each rule. */
export interface Model {
  /** Each rule's answer to a request for `cost` permits; 0 returns its state. */
  ask(charge: Charge, past: readonly Past[], now: number, cost: number): RuleAnswer[]
  /** The instant from which a charge taken now counts. */
  countedFrom(charge: Charge, past: readonly Past[], now: number): number
  /** The part of the past that still counts once a charge counts from `at`, even if time steps back and the charge is refunded. */
  kept?(charge: Charge, past: readonly Past[], at: number): readonly Past[]
  /** The past after a refund of `cost` permits that were charged at `at`. By default permits of that instant are removed, which
   *  is sufficient for algorithms that count by instants. */
  refund?(charge: Charge, past: readonly Past[], now: number, at: number): readonly Past[]
}
