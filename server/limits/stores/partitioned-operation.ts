import { isTakenIf, passing } from '../receipt.ts'
import { type Charge, type LimitStore, narrowed, type Operation, type Receipt, type ReceiptLine } from '../store.ts'

/** Where a charge is counted. */
export interface Partition {
  readonly store: LimitStore
  /** The name of the partition: charges with the same slot are counted together, in one atomic step. */
  readonly slot: string
  /** Places of a lower stage are asked before those of a higher one; those of one stage at the same time. */
  readonly stage: number
}

/** The charges of one operation that belong to one partition. */
export interface Part extends Partition {
  readonly charges: readonly Charge[]
}

/** One operation over several partitions, with the lines of the partitions that have answered so far. */
export class PartitionedOperation {
  readonly #operation: Operation
  readonly #parts: readonly Part[]
  readonly #onGivenBack: (charges: readonly Charge[]) => void
  readonly #lines = new Map<Charge, ReceiptLine>()
  /** An instant of performance.now(). It applies to each partition separately, so that what other partitions have taken is
   *  refunded before the operation rejects: the caller may then take it again. */
  readonly #deadline: number

  constructor(
    operation: Operation,
    parts: readonly Part[],
    deadline: number,
    onGivenBack: (charges: readonly Charge[]) => void,
  ) {
    this.#operation = operation
    this.#parts = parts
    this.#deadline = deadline
    this.#onGivenBack = onGivenBack
  }

  async apply(): Promise<Receipt> {
    const { charges, type } = this.#operation
    if (type === 'take') await this.#take()
    else await Promise.all(this.#parts.map((part) => this.#ask(part, narrowed(this.#operation, part.charges))))
    return { charges, lines: charges.flatMap((charge) => this.#lines.get(charge) ?? []), answeredBy: 'store' }
  }

  async #take(): Promise<void> {
    let left = this.#parts
    while (left[0] && passing(this.#lines.values()).enforce) {
      const { stage } = left[0]
      const asked = left.filter((part) => part.stage === stage)
      left = left.filter((part) => part.stage !== stage)
      const takes = asked.map((part) => this.#ask(part, { type: 'take', charges: part.charges }))
      const failed = (await Promise.allSettled(takes)).find((result) => result.status === 'rejected')
      if (!failed) continue
      // The caller decides without this store now. A refund that fails leaves too much counted, never too little.
      for (const part of this.#parts) this.#giveBack(this.#heldOf(part, () => true)).catch(() => {})
      throw failed.reason
    }
    const passes = passing(this.#lines.values())
    const isDoomed = ({ charge }: ReceiptLine) => !isTakenIf(passes, charge)
    const doomed = this.#parts.map((part) => this.#heldOf(part, isDoomed))
    // All in one turn of the event loop, so that they are one round trip.
    await Promise.all([
      ...doomed.map((part) => this.#giveBack(part)),
      ...[...doomed, ...left].map((part) => this.#ask(part, { type: 'peek', charges: part.charges })),
    ])
  }

  /** The part with those of its charges that were taken there and are of the lines that `isWanted` picks. */
  #heldOf(part: Part, isWanted: (line: ReceiptLine) => boolean): Part {
    const charges = part.charges.filter((charge) => {
      const line = this.#lines.get(charge)
      return line?.isTaken && isWanted(line)
    })
    return { ...part, charges }
  }

  async #ask({ store }: Partition, operation: Operation): Promise<void> {
    if (operation.charges.length === 0) return
    const leftMs = Math.max(0, Math.ceil(this.#deadline - performance.now()))
    const { lines } = await within(leftMs, Promise.resolve(store.apply(operation)))
    for (const line of lines) this.#lines.set(line.charge, line)
  }

  async #giveBack({ store, charges }: Part): Promise<void> {
    if (charges.length === 0) return
    const at = charges.map((charge) => this.#lines.get(charge)?.at.store ?? 0)
    try {
      await store.apply({ type: 'refund', charges, at })
    } finally {
      this.#onGivenBack(charges)
    }
  }
}

/** The work's outcome; rejects when it takes longer than `ms` milliseconds. */
function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const late = () => reject(new Error(`Redis gave no answer within ${ms} ms`))
  // When this process was the slow one, the answer lies in the socket by now: it is read before the immediate runs.
  const timer = setTimeout(() => setImmediate(late), ms)
  work.then(resolve, reject).finally(() => clearTimeout(timer))
  return promise
}
