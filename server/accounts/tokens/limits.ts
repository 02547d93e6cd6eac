import type { RuleSet } from '#server/limits/rule-set.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'

/** Creating API tokens: rare. */
export const accountChange: readonly RuleSet[] = [
  {
    name: 'account-change',
    by: 'subject',
    rules: [
      { limit: 10, window: '1m' },
      { limit: 60, window: '1h' },
    ],
    onStoreFailure: 'deny',
  },
]

/** Wrong API tokens from one address. A program with a void token needs few requests to notice. Right ones from there, which
 *  nobody can guess, are not refused. */
const wrongToken: readonly RuleSet[] = [
  {
    name: 'wrong-token',
    by: 'ip',
    count: 'failures',
    rules: [
      { limit: 30, window: '1m' },
      { limit: 300, window: '1h' },
    ],
  },
]

export const wrongTokens = declareRoute({
  label: 'wrong tokens',
  declared: wrongToken,
  isAnonymous: true,
})

/** Look-ups of wrong tokens. Beyond it no token of the address is looked up, so that a flood does not reach the database. */
const tokenLookup: readonly RuleSet[] = [
  { name: 'token-lookup', by: 'ip', count: 'failures', rules: [{ limit: 300, window: '1s' }] },
  { name: 'network-token-lookup', by: 'network', count: 'failures', rules: [{ limit: 1_500, window: '1s' }] },
]

export const tokenLookups = declareRoute({
  label: 'wrong tokens (look-ups)',
  declared: tokenLookup,
  isAnonymous: true,
})
