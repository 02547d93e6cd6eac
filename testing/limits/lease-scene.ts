import type { LimitRequest } from '#server/limits/charges.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'

/** Milliseconds for which a dead process holds its places: longer than a busy machine delays a renewal. */
export const LEASE_MS = 3_000

/** A call with a concurrency limit of four. */
export const flight: LimitRequest = {
  sets: compileRuleSets('flight', [{ by: 'user', rules: [{ concurrent: 4, lease: LEASE_MS }] }]),
  caller: { address: '192.0.2.1', userId: 'ann', shared: false },
}
