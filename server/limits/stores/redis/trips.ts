import type { Operation, Receipt } from '../../store.ts'
import { hashTagOf } from '../hash-tag.ts'

/** An operation that waits for the reply of Redis. Only the first outcome counts: a reply may come after the
 *  deadline. */
export interface Pending {
  readonly operation: Operation
  readonly resolve: (receipt: Receipt) => void
  readonly reject: (error: Error) => void
}

/** More operations than these are sent as two trips, so that Redis works on one while this process handles the
 *  other. */
const UNDIVIDED = 32
/** The most charges of one trip: a call that counts a list has one for each of its values. */
const TRIP_CHARGES = 1_000

/** Divides operations, in order, into trips of at most `most` operations. On a Cluster those of one trip have one hash
 *  tag: a script call can only touch keys of one slot. A single operation is never divided, however many charges it
 *  has. */
export function tripsOf(all: readonly Pending[], most: number, isCluster: boolean): readonly (readonly Pending[])[] {
  if (!isCluster) return divided(all, most)
  const groups = Map.groupBy(all, ({ operation }) => hashTagOf(operation.charges[0]?.key ?? ''))
  return [...groups.values()].flatMap((group) => divided(group, most))
}

function divided(group: readonly Pending[], most: number): readonly (readonly Pending[])[] {
  const tripSize = Math.min(most, Math.max(UNDIVIDED, Math.ceil(group.length / 2)))
  const trips: Pending[][] = []
  let charges = Number.POSITIVE_INFINITY
  for (const each of group) {
    const trip = trips.at(-1)
    charges += each.operation.charges.length
    if (trip && trip.length < tripSize && charges <= TRIP_CHARGES) {
      trip.push(each)
    } else {
      trips.push([each])
      charges = each.operation.charges.length
    }
  }
  return trips
}
