import type { Charge, RuleAnswer } from '#server/limits/store.ts'

/** A charge that was taken, at the instant from which it counts. */
export interface Past {
  readonly at: number
  readonly cost: number
  readonly charge: Charge
  /** Of permits that were given back: how long before they had been charged, in milliseconds. */
  readonly refundedAfterMs?: number
}

/** What an algorithm means, written for the eye alone: all history is kept, and looked at anew for each rule. */
export interface Model {
  /** What each rule answers to `cost` permits; 0 tells how it stands. */
  ask(charge: Charge, past: readonly Past[], now: number, cost: number): RuleAnswer[]
  /** The instant from which a charge counts that is taken now. */
  timeOf(charge: Charge, past: readonly Past[], now: number): number
  /** What of the past still counts once a charge counts from `at`, even if time steps back and that charge is given back. */
  kept?(charge: Charge, past: readonly Past[], at: number): readonly Past[]
  /** What is left of the past when `cost` permits are given back that were charged at `at`. Where an algorithm says
   *  nothing, those of that instant are taken off, which is all that matters to one that looks at instants. */
  refund?(charge: Charge, past: readonly Past[], now: number, at: number): readonly Past[]
}
