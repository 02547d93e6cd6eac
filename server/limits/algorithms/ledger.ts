import type { Algorithm, BaseRule } from '../rules/compiled.ts'
import type { Charge, ChargeOf, RuleAnswer } from '../store.ts'

/** A rule's answer on its way out of the store: whoever charges brings it up to date. */
export type Answer = { -readonly [Name in keyof RuleAnswer]: number }

/** What an algorithm keeps of one key in process; the twin of a fragment in lua/, method for function. */
export interface Ledger {
  /** What each rule would answer to the charge at `now`, in milliseconds. Changes nothing. */
  ask(now: number, charge: Charge): Answer[]
  /** Charges, whatever the rules say. `answers` are those to `ask` at the same instant, and are made to say what holds
   *  then; whom that does not interest has not asked. Gives whether the key is hot by now: half of a limit is used, or a
   *  call is under way. */
  take(now: number, charge: Charge, answers?: readonly Answer[]): boolean
  /** Gives back what was charged at the instant `at`, as far as it still counts: never more than was charged. */
  refund(now: number, at: number, charge: Charge): void
  /** From this instant on the ledger says what an empty one says, and may be forgotten. */
  readonly emptyAt: number
}

/** The charge as one of `algorithm`; throws TypeError for any other, whose key this cannot be. */
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

/** The answer of an unused rule to a cost above its limit, which only what refuses nothing may ask of it: a wait that is not
 *  too long for a timer, and is no promise. */
export function neverPasses(limit: number, windowMs: number): Answer {
  return { remaining: limit, resetMs: 0, waitMs: windowMs, delayMs: 0 }
}

/** Makes an answer that of a rule that has been charged. */
export function charged(answer: Answer, remaining: number, resetMs: number): void {
  answer.remaining = remaining
  answer.resetMs = resetMs
  answer.waitMs = 0
}

/** Whether half of a rule's limit is used. */
export function isHalfUsed(remaining: number, { limit }: BaseRule): boolean {
  return remaining * 2 <= limit
}
