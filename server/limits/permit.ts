import type { Decision } from './decision.ts'
import type { Charge, Operation, RuleAnswer } from './stores/store.ts'

/** What the rules of a charge said to it. */
export interface Answered {
  readonly charge: Charge
  readonly answers: readonly RuleAnswer[]
}

/** What a decision has charged, and how to go back on it. */
export interface Taken {
  readonly decision: Decision
  /** What was asked, and what it was told; nothing where a policy decided. */
  readonly answered: readonly Answered[]
  /** What was charged; nothing of a call that was refused. */
  readonly charges: readonly Charge[]
  /** The instants at which each was, by the clock of its store. */
  readonly at: readonly number[]
  /** Where they are counted. Does nothing where that fails: a permit that is not given back errs on the side of the limit. */
  amend(operation: Operation): Promise<void>
}

/** A call's permits: what was decided, and what its end changes of it. */
export class Permit {
  readonly decision: Decision
  readonly #taken: Taken
  #ended = false

  constructor(taken: Taken) {
    this.decision = taken.decision
    this.#taken = taken
  }

  /** The call has moved `bytes`, a whole number: sets that count bytes have charged so many from now on. More than was
   *  reserved is charged whatever their rules say. */
  async settle(bytes: number): Promise<void> {
    const counted = this.#select((charge) => charge.facts.unit === 'bytes')
    const at = (charges: readonly Charge[]) => charges.map((charge) => counted.instants.get(charge.key) ?? 0)
    const less = counted.charges.flatMap((charge) => withCost(charge, charge.cost - bytes))
    const more = counted.charges.flatMap((charge) => withCost(charge, bytes - charge.cost))
    if (less.length > 0) await this.#taken.amend({ type: 'refund', charges: less, at: at(less) })
    if (more.length > 0) await this.#taken.amend({ type: 'force', charges: more })
  }

  /** Gives everything back, as if the call had never been. */
  async refund(): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    await this.#giveBack(() => true)
  }

  /** The call is over: it is no longer under way, and where only failures count, one that succeeded has cost nothing. */
  async end(outcome: 'succeeded' | 'failed'): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    await this.#giveBack(({ algorithm, facts }) => {
      return algorithm === 'concurrency' || (facts.count === 'failures' && outcome === 'succeeded')
    })
  }

  async #giveBack(which: (charge: Charge) => boolean): Promise<void> {
    const { charges, instants } = this.#select(which)
    if (charges.length === 0) return
    await this.#taken.amend({ type: 'refund', charges, at: charges.map(({ key }) => instants.get(key) ?? 0) })
  }

  #select(which: (charge: Charge) => boolean) {
    const { charges, at } = this.#taken
    const instants = new Map(charges.map((charge, index) => [charge.key, at[index] ?? 0]))
    return { charges: charges.filter(which), instants }
  }
}

/** The charge at another cost; none for a cost below 1. */
function withCost(charge: Charge, cost: number): Charge[] {
  return cost > 0 ? [{ ...charge, cost }] : []
}
