import type { Operation } from '../store.ts'

/** More operations than these are sent as two trips, so that Redis works on one while this process handles the
 *  other. */
const UNDIVIDED = 32
/** The most charges of one trip: a call that counts a list has one for each of its values. */
const TRIP_CHARGES = 1_000

/** Splits operations, in order, into trips of at most `most` operations. A single operation is never split, however
 *  many charges it has. */
export function tripsOf<P extends { readonly operation: Operation }>(
  group: readonly P[],
  most: number,
): readonly (readonly P[])[] {
  const tripSize = Math.min(most, Math.max(UNDIVIDED, Math.ceil(group.length / 2)))
  const trips: P[][] = []
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
