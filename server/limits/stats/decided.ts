import type { Decision } from '../decision.ts'
import type { Receipt } from '../store.ts'

/** A call at its end. */
export interface Decided {
  readonly decision: Decision
  /** What the decision was read from. */
  readonly receipt: Receipt
  /** The policy of the rule that it waited for. */
  readonly waitedFor: string | null
}
