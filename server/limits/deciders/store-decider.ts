import { type Decision, decide } from '../decision.ts'
import type { Taken } from '../permit.ts'
import type { Charge, LimitStore, Operation, Outcome } from '../store.ts'
import { Decider, type OnTaken } from './decider.ts'

/** Over one store that does not fail. */
export function deciderOver(store: LimitStore): Decider {
  return new StoreDecider(store)
}

class StoreDecider extends Decider {
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

/** What a store's outcome of a take comes to: of a call that passes, what it charged. */
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
