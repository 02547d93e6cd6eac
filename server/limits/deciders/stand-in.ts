import type { Charge, Operation, Outcome, RuleAnswer } from '../store.ts'
import { canBlock } from '../stores/memory-entry.ts'
import type { MemoryStore } from '../stores/memory-store.ts'
import { shareOf } from './share.ts'

/** Keys of buckets of which it is known that they have been divided; more leak at their divided rate from the start. */
const KNOWN_KEYS = 200_000

/** Whether the store counts the charge, for all processes. */
export function isShared({ facts }: Charge): boolean {
  return facts.scope === 'cluster'
}

/** Stands in, in each process, for the store of all while that fails. Until then it counts along what this process takes
 *  there, under whole limits, so that an outage makes nobody's limit new; in an outage it decides by this process's share of
 *  them (share.ts). What is counted in each process by itself it decides always, by whole limits. */
export class StandIn {
  readonly #local: MemoryStore
  readonly #processes: () => number
  /** Buckets that leak at their divided rate by now. */
  readonly #divided = new Set<string>()

  constructor(local: MemoryStore, processes: () => number) {
    this.#local = local
    this.#processes = processes
  }

  /** What the store has taken at the instant `now`, by whole limits, whatever is full here. */
  count(charges: readonly Charge[], now: number): void {
    this.#local.count(charges, now)
  }

  /** Beside the store, which has decided: by whole limits. */
  follow(operation: Operation): void {
    this.#local.applyNow(operation)
  }

  /** In place of the store: by this process's share. Of the charges that are counted here anyway, by their whole limits. */
  decide(operation: Operation): Outcome {
    const processes = this.#processes()
    if (processes <= 1) return this.#local.applyNow(operation)
    this.#divideBuckets(operation.charges)
    const charges = operation.charges.map((charge) => (isShared(charge) ? shareOf(charge, processes) : charge))
    return this.#local.applyNow({ ...operation, charges })
  }

  /** Takes over the blocks of those whom the store has refused: an outage frees nobody. */
  adoptBlocks(charges: readonly Charge[], answers: readonly RuleAnswer[], now: number): void {
    let next = 0
    for (const charge of charges) {
      const first = next
      next += charge.rules.length
      if (isShared(charge) && canBlock(charge)) this.#local.adoptBlocks(charge, answers.slice(first, next), now)
    }
  }

  /** The store decides again, by whole limits. */
  yield(): void {
    this.#divided.clear()
  }

  /** A bucket has leaked at its whole rate until it is first asked in an outage: to charge nothing is to bring its level up
   *  to now. From then on it leaks at the divided rate. */
  #divideBuckets(charges: readonly Charge[]): void {
    for (const charge of charges) {
      if (charge.algorithm !== 'token-bucket' && charge.algorithm !== 'leaky-bucket') continue
      if (!isShared(charge) || this.#divided.has(charge.key) || this.#divided.size >= KNOWN_KEYS) continue
      this.#divided.add(charge.key)
      this.#local.applyNow({ type: 'force', charges: [{ ...charge, cost: 0 }] })
    }
  }
}
