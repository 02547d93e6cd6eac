import type { Algorithm, BaseRule } from '../rules/compiled.ts'
import type { Charge, ChargeOf, RuleAnswer } from '../store.ts'

/** A rule's answer that is still mutable: a take updates it in place. */
export type Answer = { -readonly [Name in keyof RuleAnswer]: number }

/** The in-process state of one key under an algorithm. The counterpart of the algorithm's Lua file, method for
 *  function. */
export interface Ledger {
  /** How each rule would answer the charge at `now`, in milliseconds. Changes nothing. */
  ask(now: number, charge: Charge): Answer[]
  /** Takes the charge, whatever the rules say. `answers` are those of `ask` at the same instant, and are updated;
   *  without them none are computed. Returns whether the key is hot: half of a limit is used, or a call is under
   *  way. */
  take(now: number, charge: Charge, answers?: readonly Answer[]): boolean
  /** Refunds what was charged at the instant `at`, as far as it still counts, and never more than was charged. */
  refund(now: number, at: number, charge: Charge): void
  /** The instant from which on the ledger equals an empty one, and may be forgotten. */
  readonly emptyAt: number
}

/** Narrows the charge to `algorithm`. Throws TypeError for another algorithm: a key never has two. */
export function chargeFor<A extends Algorithm>(algorithm: A, charge: Charge): ChargeOf<A> {
  if (!isFor(algorithm, charge)) throw new TypeError(`a ${charge.algorithm} charge of a ${algorithm} key`)
  return charge
}

function isFor<A extends Algorithm>(algorithm: A, charge: Charge): charge is Charge & ChargeOf<A> {
  return charge.algorithm === algorithm
}

/** The answer of a rule that has room. */
export function passes(remaining: number, resetMs: number): Answer {
  return { remaining, resetMs, waitMs: 0, delayMs: 0 }
}

/** The answer of an unused rule to a cost above its limit, possible only in shadow and degrade mode: a wait of one
 *  window, which a timer can hold and which promises nothing. */
export function neverPasses(limit: number, windowMs: number): Answer {
  return { remaining: limit, resetMs: 0, waitMs: windowMs, delayMs: 0 }
}

/** Updates the answer of a rule that has been charged. */
export function charged(answer: Answer, remaining: number, resetMs: number): void {
  answer.remaining = remaining
  answer.resetMs = resetMs
  answer.waitMs = 0
}

/** Whether half of a rule's limit is used. */
export function isHalfUsed(remaining: number, { limit }: BaseRule): boolean {
  return remaining * 2 <= limit
}
