import type { RuleSet } from '#server/limits/rule-set.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'

/** Sending a test mail: somebody else's server takes it. */
export const mailTest: readonly RuleSet[] = [
  {
    name: 'mail-test',
    by: 'subject',
    rules: [
      { limit: 5, window: '1m' },
      { limit: 30, window: '1h' },
    ],
  },
]

/** Mail of one kind to one address, whoever causes it. What is beyond is dropped: it must not fill a mailbox. Each kind is counted for
 *  itself, so that what strangers cause, such as links to confirm an address, keeps no note from its reader. */
const mailToAddress: readonly RuleSet[] = [
  {
    name: 'mail-to-address',
    by: 'subject',
    rules: [
      { limit: 10, window: '1h' },
      { limit: 40, window: '1d' },
    ],
  },
]

export const mailByAddress = declareRoute({ label: 'mail (by address)', declared: mailToAddress, isAnonymous: true })

/** Mail of the whole site. What is beyond waits: providers block senders of too much. */
const mailOfAll: readonly RuleSet[] = [
  {
    name: 'mail-of-site',
    by: 'subject',
    rules: [
      { limit: 60, window: '1m' },
      { limit: 1_000, window: '1h' },
    ],
  },
]

export const mailOfSite = declareRoute({ label: 'mail (whole)', declared: mailOfAll, isAnonymous: true })
