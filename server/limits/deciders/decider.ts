import type { Decision } from '../decision.ts'
import type { Amender, Taken } from '../permit.ts'
import type { Charge, Operation } from '../store.ts'

/** What becomes of the answer to charges. */
export type Told<T> = (taken: Taken, charges: readonly Charge[]) => T | Promise<T>

/** Makes decisions of charges, wherever they are counted. */
export abstract class Decider implements Amender {
  /** What `told` makes of the answer, in the very step in which it comes: at once where nobody has to be asked, for a promise
   *  for every call costs more than the decision. */
  abstract decide<T>(charges: readonly Charge[], told: Told<T>): T | Promise<T>
  /** What `take` would decide. */
  abstract peek(charges: readonly Charge[]): Decision | Promise<Decision>
  /** Of what it has decided itself. */
  abstract amend(taken: Taken, operation: Operation): Promise<void>
  /** Forgets what was charged. */
  abstract reset(charges: readonly Charge[]): Promise<void>

  take(charges: readonly Charge[]): Taken | Promise<Taken> {
    return this.decide(charges, asTold)
  }
}

function asTold(taken: Taken): Taken {
  return taken
}

/** What should be forgotten is not, for the store does not answer. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'

  constructor() {
    super('the store of the limits does not answer: what was used of them still counts')
  }
}
