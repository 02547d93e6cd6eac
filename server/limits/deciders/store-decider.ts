import { type Decision, decide } from '../decision.ts'
import type { Taken } from '../permit.ts'
import type { Charge, LimitStore, Outcome } from '../store.ts'
import { Decider, type Told } from './decider.ts'

/** Over one store that does not fail. */
export function deciderOver(store: LimitStore): Decider {
  return new StoreDecider(store)
}

class StoreDecider extends Decider {
  readonly #store: LimitStore
  readonly #amend: Taken['amend']

  constructor(store: LimitStore) {
    super()
    this.#store = store
    this.#amend = async (operation) => void (await store.apply(operation))
  }

  override decide<T>(charges: readonly Charge[], told: Told<T>): T | Promise<T> {
    const outcome = this.#store.apply({ type: 'take', charges })
    if (!(outcome instanceof Promise)) return told(takenOf(charges, outcome, 'store', this.#amend), charges)
    return outcome.then((known) => told(takenOf(charges, known, 'store', this.#amend), charges))
  }

  override async peek(charges: readonly Charge[]): Promise<Decision> {
    return decide(charges, (await this.#store.apply({ type: 'peek', charges })).answers, 'store')
  }

  override reset(charges: readonly Charge[]): Promise<void> {
    return this.#amend({ type: 'reset', charges })
  }
}

/** What a store's outcome of a take comes to: of a call that passes, what it charged. */
export function takenOf(
  asked: readonly Charge[],
  { at, answers }: Outcome,
  decidedBy: Decision['decidedBy'],
  amend: Taken['amend'],
): Taken {
  const decision = decide(asked, answers, decidedBy)
  const { allowed, degradedBy, shadowedBy } = decision
  if (allowed && !degradedBy && !shadowedBy)
    return { decision, asked, answers, charges: asked, at, waitedFor: null, amend }
  const lacks = { enforce: !allowed, degrade: degradedBy !== null, shadow: shadowedBy !== null }
  const isTaken = ({ facts }: Charge) => allowed && !lacks[facts.mode]
  const charges = asked.filter(isTaken)
  const instants = at.filter((_, index) => asked[index] && isTaken(asked[index]))
  return { decision, asked, answers, charges, at: instants, waitedFor: null, amend }
}
