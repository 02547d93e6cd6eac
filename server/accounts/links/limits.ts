import type { RuleSet } from '#server/limits/rule-set.ts'

/** Links that set a password, right or wrong: nobody can guess their 256 random bits either. */
export const passwordLinkLookup: readonly RuleSet[] = [
  { name: 'password-link-lookup', by: 'ip', rules: [{ limit: 300, window: '1s' }] },
  { name: 'network-password-link-lookup', by: 'network', rules: [{ limit: 1_500, window: '1s' }] },
]
