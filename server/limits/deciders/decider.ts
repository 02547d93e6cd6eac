import type { Decision } from '../decision.ts'
import type { Amender, Taken } from '../permit.ts'
import type { Charge, Operation } from '../store.ts'

/** A callback for what was decided about `charges`; what it returns is what `decide` returns. */
export type OnTaken<T> = (taken: Taken, charges: readonly Charge[]) => T | Promise<T>

/** Decides whether charges are admitted, wherever they are counted. Deciders are layered: over a store, with a fallback
 *  when it fails, with a cache of refusals in front. */
export abstract class Decider implements Amender {
  /** Takes all charges or none and calls `onTaken` with the result, synchronously where the answer is at hand: a
   *  promise for each call would cost more than the decision itself. */
  abstract decide<T>(charges: readonly Charge[], onTaken: OnTaken<T>): T | Promise<T>
  /** The decision that `take` would make now. Changes nothing. */
  abstract peek(charges: readonly Charge[]): Decision | Promise<Decision>
  /** Amends what this decider has taken: a refund, or more of the same. */
  abstract amend(taken: Taken, operation: Operation): Promise<void>
  /** Forgets everything counted under the keys of these charges. Rejects with StoreUnavailable while the store
   *  fails. */
  abstract reset(charges: readonly Charge[]): Promise<void>

  take(charges: readonly Charge[]): Taken | Promise<Taken> {
    return this.decide(charges, returnTaken)
  }
}

function returnTaken(taken: Taken): Taken {
  return taken
}

/** A reset failed because the store does not answer. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'

  constructor() {
    super('the store of the limits does not answer: what was used of them still counts')
  }
}
