import type { Charge, Operation, Outcome, RuleAnswer } from '../store.ts'
import { canBlock } from '../stores/memory-entry.ts'
import type { MemoryStore } from '../stores/memory-store.ts'
import { shareOf } from './share.ts'

/** How many buckets are remembered as divided. Further ones leak at the divided rate from
 *  their last charge on. */
const KNOWN_KEYS = 200_000

/** Whether the charge is counted in the store, for all processes together. */
export function isShared({ facts }: Charge): boolean {
  return facts.scope === 'cluster'
}

/** The in-process store as the fallback of the shared one. While the shared store works, this mirrors what the process
 *  takes there, by whole limits, so that nobody starts afresh when an outage begins. During an outage it decides by
 *  this process's share of the limits (share.ts). Charges of scope 'instance' it always decides, by whole limits. */
export class LocalFallback {
  readonly #local: MemoryStore
  readonly #processes: () => number
  /** Keys of buckets that leak at their divided rate since they were first asked in this outage. */
  readonly #divided = new Set<string>()

  constructor(local: MemoryStore, processes: () => number) {
    this.#local = local
    this.#processes = processes
  }

  /** Mirrors what the store has taken at the instant `now`: by whole limits, even beyond what this process would
   *  admit. */
  count(charges: readonly Charge[], now: number): void {
    this.#local.count(charges, now)
  }

  /** Mirrors a later change of what the store has taken, by whole limits. */
  follow(operation: Operation): void {
    this.#local.applyNow(operation)
  }

  /** Decides in place of the store: by this process's share, but by whole limits for charges of scope 'instance'. */
  decide(operation: Operation): Outcome {
    const processes = this.#processes()
    if (processes <= 1) return this.#local.applyNow(operation)
    this.#divideBuckets(operation.charges)
    const charges = operation.charges.map((charge) => (isShared(charge) ? shareOf(charge, processes) : charge))
    return this.#local.applyNow({ ...operation, charges })
  }

  /** Takes over the blocks that the store's refusals began, so that an outage unblocks nobody. */
  adoptBlocks(charges: readonly Charge[], answers: readonly RuleAnswer[], now: number): void {
    let next = 0
    for (const charge of charges) {
      const first = next
      next += charge.rules.length
      if (isShared(charge) && canBlock(charge)) this.#local.adoptBlocks(charge, answers.slice(first, next), now)
    }
  }

  /** To be called when the store decides again, by whole limits. */
  onStoreRecovered(): void {
    this.#divided.clear()
  }

  /** Until a bucket is first asked in an outage it leaked at its whole rate: charging 0 brings its level up to now at
   *  that rate. From then on it leaks at the divided rate. */
  #divideBuckets(charges: readonly Charge[]): void {
    for (const charge of charges) {
      if (charge.algorithm !== 'token-bucket' && charge.algorithm !== 'leaky-bucket') continue
      if (!isShared(charge) || this.#divided.has(charge.key) || this.#divided.size >= KNOWN_KEYS) continue
      this.#divided.add(charge.key)
      this.#local.applyNow({ type: 'force', charges: [{ ...charge, cost: 0 }] })
    }
  }
}
