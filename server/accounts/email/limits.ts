import type { RuleSet } from '#server/limits/rule-set.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'

/** Asking for a link that sets a new password: each may send a mail. */
export const passwordRequest: readonly RuleSet[] = [
  {
    name: 'password-request',
    by: 'ip',
    rules: [
      { limit: 5, window: '1m' },
      { limit: 30, window: '1d' },
    ],
  },
  { name: 'password-request-of-site', by: 'site', networks: 20, rules: [{ limit: 400, window: '1h' }] },
]

/** The same for one name or address, whoever asks and whether there is such an account. Whoever uses it up keeps nobody out: the
 *  account's owner has their mails. */
const passwordRequestOfAccount: readonly RuleSet[] = [
  {
    name: 'password-request-of-account',
    by: 'subject',
    rules: [
      { limit: 3, window: '1h' },
      { limit: 10, window: '1d' },
    ],
  },
]

export const passwordRequestByAccount = declareRoute({
  label: 'new password (by account)',
  declared: passwordRequestOfAccount,
  isAnonymous: true,
})

/** Entering an address: each sends a mail to wherever the user says. */
export const emailChange: readonly RuleSet[] = [
  {
    name: 'email-change',
    by: 'subject',
    rules: [
      { limit: 3, window: '1m' },
      { limit: 10, window: '1d' },
    ],
  },
]
