import type { Decision } from '../decision.ts'
import type { Taken } from '../permit.ts'
import type { Charge } from '../store.ts'

/** Makes decisions of charges, wherever they are counted. */
export interface Decider {
  /** At once where nobody has to be asked: a promise for every call costs more than the decision. */
  take(charges: readonly Charge[]): Taken | Promise<Taken>
  /** What `take` would decide. */
  peek(charges: readonly Charge[]): Decision | Promise<Decision>
  /** Forgets what was charged. */
  reset(charges: readonly Charge[]): Promise<void>
}

/** What should be forgotten is not, for the store does not answer. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'

  constructor() {
    super('the store of the limits does not answer: what was used of them still counts')
  }
}
