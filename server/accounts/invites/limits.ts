import type { RuleSet } from '#server/limits/rule-set.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'

/** Invites that are looked up. Nobody can guess their 128 random bits, so wrong ones do not keep a right one from the same
 *  address. */
export const inviteLookup: readonly RuleSet[] = [
  { name: 'invite-lookup', by: 'ip', rules: [{ limit: 300, window: '1s' }] },
  { name: 'network-invite-lookup', by: 'network', rules: [{ limit: 1_500, window: '1s' }] },
]

/** Invites that are mailed, to wherever an admin says. */
export const inviteMail: readonly RuleSet[] = [
  {
    name: 'invite-mail',
    by: 'subject',
    rules: [
      { limit: 20, window: '1h' },
      { limit: 100, window: '1d' },
    ],
  },
]

export const inviteMails = declareRoute({ label: 'mailed invites', declared: inviteMail, isAnonymous: false })
