import type { Decision } from '../decision.ts'
import type { Charge } from '../store.ts'

/** A call at its end. */
export interface Decided {
  readonly decision: Decision
  /** The charges that the decision tells of: one alone for a refusal that is remembered. Empty: all of the call's. */
  readonly asked: readonly Charge[]
  /** The policy of the rule that it waited for. */
  readonly waitedFor: string | null
}
