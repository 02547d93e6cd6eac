import fc from 'fast-check'
import { makeCharge, plainRule } from '../charges.ts'
import type { ChargeArbitrary, HistoryOptions } from '../histories.ts'

/** Two keys with leases of their own length, taken, renewed and ended by a few calls. */
export const concurrencyHistories: HistoryOptions = {
  charges: [charges('places-1', 30_000), charges('places-2', 45_000)],
  stepsMs: [10_000, 29_999, 30_000, 30_001, 44_999, 45_000, 45_001],
}

function charges(key: string, windowMs: number): ChargeArbitrary {
  return fc
    .record({ limit: fc.integer({ min: 1, max: 4 }), lease: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f') })
    .map(({ limit, lease }) => makeCharge('concurrency', key, [{ ...plainRule(limit, windowMs), lease }]))
}
