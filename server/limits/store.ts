import type { KnownKey } from './known-keys.ts'
import type { Algorithm, RuleOf, SetFacts } from './rules/compiled.ts'

/** A request for `cost` permits of every rule of one key. No two charges of one operation have the same key. */
export interface ChargeOf<A extends Algorithm> {
  readonly key: string
  /** What this process has cached about the key; absent for keys that are seldom charged twice. */
  readonly known?: KnownKey
  readonly algorithm: A
  readonly rules: readonly RuleOf[A][]
  readonly cost: number
  readonly facts: SetFacts
}

export type Charge<A extends Algorithm = Algorithm> = { [K in A]: ChargeOf<K> }[A]

/** How one rule answers a charge. Permits are whole numbers, times are milliseconds. */
export interface RuleAnswer {
  /** Permits left: after the charge where it was taken, otherwise as they are without it. */
  readonly remaining: number
  /** Milliseconds until the next permits come back; 0 when all are there. */
  readonly resetMs: number
  /** 0 when the rule passes. Otherwise the milliseconds until the same charge would pass, and not one earlier. */
  readonly waitMs: number
  /** For a rule that passes and paces calls: milliseconds until the call's turn. Otherwise 0. */
  readonly delayMs: number
}

/** What a store does with all charges in one atomic step:
 *  - take: takes every charge or, when a rule of an enforcing charge refuses, none. Charges in shadow or degrade mode never
 *    refuse others: those of one mode are taken together or not at all, and only when the call passes.
 *  - peek: answers as take would, and changes nothing.
 *  - force: takes every charge whatever its rules say, for what has happened already.
 *  - refund: gives back charges that were taken at the instants `at` of the store's clock, as far as they still count.
 *  - reset: forgets everything counted under the keys. */
export type Operation =
  | { readonly type: 'take' | 'peek' | 'force' | 'reset'; readonly charges: readonly Charge[] }
  | { readonly type: 'refund'; readonly charges: readonly Charge[]; readonly at: readonly number[] }

export interface Outcome {
  /** For each charge the instant of the operation by the store's clock, in milliseconds: what a refund must name. */
  readonly at: readonly number[]
  /** One for each rule of each charge, in order; empty for a refund or a reset. */
  readonly answers: readonly RuleAnswer[]
}

/** Where permits are counted: in Redis or in process. Every implementation gives the same answers to the same
 *  history. */
export interface LimitStore {
  /** Returns the outcome itself where nothing has to be waited for. Throws or rejects when the store fails. */
  apply(operation: Operation): Outcome | Promise<Outcome>
  /** `applyThen` of stores/apply-then.ts, for stores that can do it with fewer promises. */
  applyThen?<T>(operation: Operation, handlers: OutcomeHandlers<T>): T | Promise<T>
  close(): Promise<void>
}

/** Callbacks for how an operation ends; what they return is what `applyThen` returns. */
export interface OutcomeHandlers<T> {
  onOutcome(outcome: Outcome): T | Promise<T>
  /** The store failed. */
  onError(error: unknown): T | Promise<T>
}
