import type { ServerResponse } from 'node:http'
import { refusalOf } from '#server/limits/describe.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import type { RuleSet } from '#server/limits/rule-set.ts'
import { chargeOf, declareRoute } from '#server/limits/rules/declared-route.ts'
import type { Services } from '#server/services.ts'
import { writeProblem } from './answers.ts'
import { showLimits } from './limit-headers.ts'
import { refusalSentence } from './sentence.ts'

/** Counted in this process, because a flood of them must cost nothing but the look at the request. */
const invalid: readonly RuleSet[] = [
  { name: 'invalid-request', by: 'ip', scope: 'instance', rules: [{ limit: 1_200, window: '1m' }] },
  { name: 'network-invalid-request', by: 'network', scope: 'instance', rules: [{ limit: 12_000, window: '1m' }] },
]

/** Requests that no handler accepts: unknown paths, procedures and methods, other sites' calls, malformed requests. */
export const invalidRequestsRoute = declareRoute({
  label: 'invalid requests',
  declared: invalid,
  isAnonymous: true,
})

/** Charges a request that no handler accepts to its address, before a session is looked up or Redis is asked. Returns true
 *  when there were too many, and it has answered that. Otherwise the answer, which no cache keeps, shows how many are left. */
export async function refuseInvalid(
  { limiter }: Pick<Services, 'limiter'>,
  res: ServerResponse,
  { address }: { readonly address: string },
): Promise<boolean> {
  const decision = await countInvalid(limiter, address)
  const refusal = refusalOf(decision)
  if (!refusal) {
    showLimits(res, [decision])
    return false
  }
  writeProblem(res, 429, refusalSentence(refusal), rateLimitHeaders([decision]))
  return true
}

/** The same for what has no response. */
export async function countInvalid(limiter: Services['limiter'], address: string) {
  const caller = { address, userId: null, shared: false }
  return (await limiter.obtain(...chargeOf(invalidRequestsRoute, caller))).decision
}
