import type { CompiledRule } from '../rule-set.ts'
import type { RuleAnswer } from '../store.ts'

/** What an algorithm keeps of one key in process; the twin of a fragment in lua/. */
export interface Ledger {
  /** What each rule would answer to `cost` permits at `now`, in milliseconds. Charges nothing. */
  ask(now: number, cost: number, rules: readonly CompiledRule[]): readonly RuleAnswer[]
  /** Charges `cost` permits, which every rule of `answers` has just passed; gives the answers as they stand then. */
  take(now: number, cost: number, rules: readonly CompiledRule[], answers: readonly RuleAnswer[]): readonly RuleAnswer[]
  /** From this instant on the ledger says what an empty one says, and may be forgotten. */
  readonly emptyAt: number
}
