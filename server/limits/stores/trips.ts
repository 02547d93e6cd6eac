import type { Operation } from '../store.ts'

/** More operations than these go in two trips: Redis does the one while this process sees to the other. */
const UNDIVIDED = 32
/** Charges of one trip at most: a call that counts a list has one for each of its values, and each adds words to the
 *  command. */
const TRIP_CHARGES = 1_000

/** Divides operations, in order, into trips of at most `most` each. A trip has at least one operation, however much that
 *  one charges. */
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
