import type { Charge, LimitStore, Operation, Receipt } from '../store.ts'
import { type Part, PartitionedOperation, type Place } from './partitioned-operation.ts'

export interface PartitionedStoreOptions {
  readonly placeOf: (charge: Charge) => Place
  /** Milliseconds after which an operation over several places rejects, whatever its places still do. */
  readonly deadlineMs: number
  /** Called with charges that a refused call held briefly at one place, once they are refunded. */
  readonly onGivenBack?: (charges: readonly Charge[]) => void
  readonly close: () => Promise<void>
}

/** One store over several places that cannot be changed in one atomic step, such as the slots of a Redis Cluster. A
 *  call is still all or nothing: it takes stage after stage and, when a place refuses, refunds what it has taken.
 *  Places that were not asked by then are peeked, so that every rule answers (a block begins only where a take was
 *  refused).
 *
 *  No call is admitted beyond a limit, because each place enforces its own limits atomically. A call may be refused
 *  wrongly, by a place that is filled by doomed calls: those that were taken there and are refused elsewhere. A doomed
 *  call holds its cost until its refund arrives: two round trips, or three where the refusing place is of the next
 *  stage. So a place lacks at most the cost of the doomed calls under way, and only so long; but a rule with `blockFor`
 *  also blocks callers that it refused wrongly. A call that is refused in the first stage holds nothing in later ones.
 *  Of 1,000 calls at once, half of them doomed, 1 to 5 of the 10 that could pass were refused wrongly
 *  (cluster.redis.test.ts prints it). */
export class PartitionedStore implements LimitStore {
  readonly #options: PartitionedStoreOptions

  constructor(options: PartitionedStoreOptions) {
    this.#options = options
  }

  apply(operation: Operation): Receipt | Promise<Receipt> {
    const { placeOf, deadlineMs, onGivenBack = () => {} } = this.#options
    const only = onlyPlaceOf(operation.charges, placeOf)
    if (only) return only.store.apply(operation)
    const parts = partsOf(operation.charges, placeOf)
    return new PartitionedOperation(operation, parts, performance.now() + deadlineMs, onGivenBack).apply()
  }

  close(): Promise<void> {
    return this.#options.close()
  }
}

function onlyPlaceOf(charges: readonly Charge[], placeOf: (charge: Charge) => Place): Place | null {
  let only: Place | null = null
  for (const charge of charges) {
    const place = placeOf(charge)
    if (only && place.slot !== only.slot) return null
    only = place
  }
  return only
}

/** The charges by slot, sorted by stage. A slot with charges of several stages belongs to that of its first
 *  charge. */
function partsOf(charges: readonly Charge[], placeOf: (charge: Charge) => Place): readonly Part[] {
  const parts = new Map<string, Place & { readonly charges: Charge[] }>()
  for (const charge of charges) {
    const place = placeOf(charge)
    const known = parts.get(place.slot)
    if (known) known.charges.push(charge)
    else parts.set(place.slot, { ...place, charges: [charge] })
  }
  return [...parts.values()].sort((a, b) => a.stage - b.stage)
}
