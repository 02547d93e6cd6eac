import type { Charge, LimitStore, Operation, Receipt } from '../store.ts'
import { type Part, type Partition, PartitionedOperation } from './partitioned-operation.ts'

export interface PartitionedStoreOptions {
  readonly partitionOf: (charge: Charge) => Partition
  /** Milliseconds after which an operation over several partitions rejects, whatever its partitions still do. */
  readonly deadlineMs: number
  /** Called with charges that a refused call held briefly at one partition, once they are refunded. */
  readonly onGivenBack?: (charges: readonly Charge[]) => void
  readonly close: () => Promise<void>
}

/** One store over several partitions that cannot be changed in one atomic step, such as the slots of a Redis Cluster. A
 *  call is still all or nothing: it takes stage after stage and, when a partition refuses, refunds what it has taken.
 *  Places that were not asked by then are peeked, so that every rule answers (a block begins only where a take was
 *  refused).
 *
 *  No call is admitted beyond a limit, because each partition enforces its own limits atomically. A call may be refused
 *  wrongly, by a partition that is filled by doomed calls: those that were taken there and are refused elsewhere. A doomed
 *  call holds its cost until its refund arrives: two round trips, or three where the refusing partition is of the next
 *  stage. So a partition lacks at most the cost of the doomed calls under way, and only so long; but a rule with `blockFor`
 *  also blocks callers that it refused wrongly. A call that is refused in the first stage holds nothing in later ones.
 *  Of 1,000 calls at once, half of them doomed, 1 to 5 of the 10 that could pass were refused wrongly
 *  (cluster.redis.test.ts prints it). */
export class PartitionedStore implements LimitStore {
  readonly #options: PartitionedStoreOptions

  constructor(options: PartitionedStoreOptions) {
    this.#options = options
  }

  apply(operation: Operation): Receipt | Promise<Receipt> {
    const { partitionOf, deadlineMs, onGivenBack = () => {} } = this.#options
    const only = onlyPartition(operation.charges, partitionOf)
    if (only) return only.store.apply(operation)
    const parts = divide(operation.charges, partitionOf)
    return new PartitionedOperation(operation, parts, performance.now() + deadlineMs, onGivenBack).apply()
  }

  close(): Promise<void> {
    return this.#options.close()
  }
}

function onlyPartition(charges: readonly Charge[], partitionOf: (charge: Charge) => Partition): Partition | null {
  let only: Partition | null = null
  for (const charge of charges) {
    const partition = partitionOf(charge)
    if (only && partition.slot !== only.slot) return null
    only = partition
  }
  return only
}

/** The charges by slot, sorted by stage. A slot with charges of several stages belongs to that of its first
 *  charge. */
function divide(charges: readonly Charge[], partitionOf: (charge: Charge) => Partition): readonly Part[] {
  const parts = new Map<string, Partition & { readonly charges: Charge[] }>()
  for (const charge of charges) {
    const partition = partitionOf(charge)
    const known = parts.get(partition.slot)
    if (known) known.charges.push(charge)
    else parts.set(partition.slot, { ...partition, charges: [charge] })
  }
  return [...parts.values()].sort((a, b) => a.stage - b.stage)
}
