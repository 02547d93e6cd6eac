import { type Decision, decide } from '../decision.ts'
import type { Taken } from '../permit.ts'
import type { Charge, LimitStore, Operation, Outcome } from '../store.ts'
import { Decider, type OnTaken } from './decider.ts'

/** Decides by one store that never fails. */
export class StoreDecider extends Decider {
  readonly #store: LimitStore

  constructor(store: LimitStore) {
    super()
    this.#store = store
  }

  override decide<T>(charges: readonly Charge[], onTaken: OnTaken<T>): T | Promise<T> {
    const outcome = this.#store.apply({ type: 'take', charges })
    if (!(outcome instanceof Promise)) return onTaken(takenOf(charges, outcome, 'store'), charges)
    return outcome.then((known) => onTaken(takenOf(charges, known, 'store'), charges))
  }

  override async peek(charges: readonly Charge[]): Promise<Decision> {
    return decide(charges, (await this.#store.apply({ type: 'peek', charges })).answers, 'store')
  }

  override async amend(_: Taken, operation: Operation): Promise<void> {
    await this.#store.apply(operation)
  }

  override async reset(charges: readonly Charge[]): Promise<void> {
    await this.#store.apply({ type: 'reset', charges })
  }
}

/** Reads a store's outcome of a take. `charges` of the result are those that were charged: none of a refused call, and
 *  not those of a mode that lacked permits. `hereAt` is the instant of the decision by this process's clock. */
export function takenOf(
  asked: readonly Charge[],
  { at, answers }: Outcome,
  decidedBy: Decision['decidedBy'],
  hereAt = 0,
): Taken {
  const decision = decide(asked, answers, decidedBy)
  const { allowed, degradedBy, shadowedBy } = decision
  if (allowed && !degradedBy && !shadowedBy)
    return { decision, asked, answers, charges: asked, at, waitedFor: null, hereAt }
  const lacks = { enforce: !allowed, degrade: degradedBy !== null, shadow: shadowedBy !== null }
  const isTaken = ({ facts }: Charge) => allowed && !lacks[facts.mode]
  const charges = asked.filter(isTaken)
  const instants = at.filter((_, index) => asked[index] && isTaken(asked[index]))
  return { decision, asked, answers, charges, at: instants, waitedFor: null, hereAt }
}
