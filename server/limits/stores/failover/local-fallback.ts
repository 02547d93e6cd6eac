import { type Charge, type Operation, type Receipt, ReceiptLine } from '../../store.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import { shareOf } from './share.ts'

/** How many buckets are remembered as divided. Further ones leak at the divided rate from their last charge on. */
const KNOWN_KEYS = 200_000

/** Whether the charge is counted in the store, for all processes together. */
export function isShared({ facts }: Charge): boolean {
  return facts.scope === 'cluster'
}

/** The in-process store as the fallback of the shared one. While the shared store works, this mirrors what the process
 *  takes there, by whole limits, so that counts survive the beginning of an outage. During an outage it decides by
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

  /** Mirrors what the store has taken: by whole limits, even beyond what this process would admit. Takes over the
   *  blocks that its refusals began, so that an outage ends no block. */
  mirror(receipts: readonly Receipt[]): void {
    for (const { lines } of receipts) {
      for (const { charge, answers, isTaken, at } of lines) {
        if (!isShared(charge)) continue
        if (isTaken) this.#local.count(charge, at.here)
        else this.#local.adoptBlocks(charge, answers, at.here)
      }
    }
  }

  /** Answers in place of the store: by this process's share, but by whole limits for charges of scope 'instance'. */
  apply(operation: Operation): Receipt {
    const processes = this.#processes()
    if (processes > 1) this.#divideBuckets(operation.charges)
    const charges = operation.charges.map((charge) => (isShared(charge) ? shareOf(charge, processes) : charge))
    const { lines } = this.#local.apply({ ...operation, charges })
    // Callers see the limits as declared.
    const declared = lines.map(({ charge, answers, isTaken, at }, index) => {
      return new ReceiptLine(operation.charges[index] ?? charge, answers, isTaken, at)
    })
    return { charges: operation.charges, lines: declared, answeredBy: 'local' }
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
      this.#local.apply({ type: 'force', charges: [{ ...charge, cost: 0 }] })
    }
  }
}

/** The operation by the instants at which this process has counted the charges. */
export function atOwnInstants(operation: Operation): Operation {
  if (operation.type !== 'refund' || !operation.of) return operation
  const own = new Map(operation.of.lines.map(({ charge, at }) => [charge.key, at.here]))
  return { ...operation, at: operation.charges.map(({ key }, index) => own.get(key) ?? operation.at[index] ?? 0) }
}
