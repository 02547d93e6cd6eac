import type { Algorithm, CompiledRule, OnStoreFailure } from './rule-set.ts'

/** `cost` permits of every rule of one key. No two charges of one call have the same key. */
export interface Charge {
  readonly key: string
  readonly ruleSet: string
  readonly algorithm: Algorithm
  readonly rules: readonly CompiledRule[]
  readonly cost: number
  readonly onStoreFailure: OnStoreFailure
}

/** What a rule answers to a charge. */
export interface RuleAnswer {
  /** Permits left: after this charge when the call was allowed, as they were when it was refused. */
  readonly remaining: number
  /** Milliseconds until the next permits come back; 0 when all are there. */
  readonly resetMs: number
  /** 0 when the rule passes. Otherwise the milliseconds after which it will, and not one earlier. */
  readonly waitMs: number
}

/** Where permits are counted. Every implementation gives the same answers to the same history. */
export interface LimitStore {
  /** Takes every charge or, when one rule refuses, none, in one atomic step. The answers are those of every rule of
   *  every charge, in order. Rejects when the store cannot decide. */
  take(charges: readonly Charge[]): Promise<readonly RuleAnswer[]>
  close(): Promise<void>
}
