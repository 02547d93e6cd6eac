import { Decider, type OnTaken } from '#server/limits/deciders/decider.ts'
import type { Decision } from '#server/limits/decision.ts'
import type { Taken } from '#server/limits/permit.ts'
import type { Charge, Operation } from '#server/limits/store.ts'

/** A decider elsewhere: its answers to calls come in a later turn, once `way` has happened. */
export class DistantDecider extends Decider {
  readonly #decider: Decider
  readonly #way: () => Promise<void>

  constructor(decider: Decider, way = async () => {}) {
    super()
    this.#decider = decider
    this.#way = way
  }

  override async decide<T>(charges: readonly Charge[], onTaken: OnTaken<T>): Promise<T> {
    const taken = this.#decider.take(charges)
    await this.#way()
    return onTaken(await taken, charges)
  }

  override peek(charges: readonly Charge[]): Decision | Promise<Decision> {
    return this.#decider.peek(charges)
  }

  override amend(taken: Taken, operation: Operation): Promise<void> {
    return this.#decider.amend(taken, operation)
  }

  override reset(charges: readonly Charge[]): Promise<void> {
    return this.#decider.reset(charges)
  }
}
