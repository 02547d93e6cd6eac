import type { LimitRequest } from '#server/limits/charges.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'

/** Milliseconds that a process which died holds its places: more than a busy machine keeps one from renewing them. */
export const LEASE_MS = 3_000

/** A call of which four may be under way. */
export const flight: LimitRequest = {
  sets: compileRuleSets('flight', [{ by: 'user', rules: [{ concurrent: 4, lease: LEASE_MS }] }]),
  caller: { address: '192.0.2.1', userId: 'ann', shared: false },
}
