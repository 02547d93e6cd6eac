import type { Operation } from '../store.ts'

interface Passenger {
  readonly operation: Operation
}

/** What is more than this travels in two trips: Redis does the one while this process sees to the other. */
const UNDIVIDED = 32
/** Charges of the operations that travel together: a list of arguments has one for each, and all are a command's words. */
const TRIP_CHARGES = 1_000

/** In order, so many in each as one script call carries: at least one, however much that one charges. */
export function tripsOf<P extends Passenger>(group: readonly P[], most: number): readonly (readonly P[])[] {
  const tripSize = Math.min(most, Math.max(UNDIVIDED, Math.ceil(group.length / 2)))
  const trips: P[][] = []
  let charges = Number.POSITIVE_INFINITY
  for (const passenger of group) {
    const trip = trips.at(-1)
    charges += passenger.operation.charges.length
    if (trip && trip.length < tripSize && charges <= TRIP_CHARGES) {
      trip.push(passenger)
    } else {
      trips.push([passenger])
      charges = passenger.operation.charges.length
    }
  }
  return trips
}
