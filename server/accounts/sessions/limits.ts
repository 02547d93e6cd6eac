import type { RuleSet } from '#server/limits/rule-set.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'

// Sign-ins keep the default of `onStoreFailure`, so that each process counts its share of failures while Redis is unavailable:
// with 'deny' nobody could sign in for as long as that lasts.

/** Failed sign-ins from one address, and from its network: bounds guessing across accounts, without hindering an office behind
 *  one address, or its neighbours. */
export const signInAddress: readonly RuleSet[] = [
  {
    name: 'sign-in-address',
    by: 'ip',
    count: 'failures',
    rules: [
      { limit: 60, window: '1m' },
      { limit: 600, window: '1h' },
    ],
  },
  {
    name: 'network-sign-in',
    by: 'network',
    count: 'failures',
    rules: [
      { limit: 300, window: '1m' },
      { limit: 3_000, window: '1h' },
    ],
  },
]

/** Failed sign-ins to one account from one address. Beyond it sign-ins are refused, but only from that address. */
export const signInFailures: readonly RuleSet[] = [
  {
    name: 'sign-in',
    by: 'subject',
    count: 'failures',
    rules: [
      { limit: 10, window: '1m' },
      { limit: 50, window: '1h' },
    ],
  },
]

export const signInByAddress = declareRoute({
  label: 'sign-in (by address)',
  declared: [...signInAddress, ...signInFailures],
  isAnonymous: true,
})

/** Sign-ins to one account from its known devices. Beyond it they take turns with everybody else: an account that signs in over
 *  and over takes no turns from those who do not. */
const signInDevice: readonly RuleSet[] = [
  {
    name: 'sign-in-device',
    by: 'subject',
    mode: 'degrade',
    rules: [
      { limit: 5, window: '1m' },
      { limit: 30, window: '1h' },
    ],
  },
]

export const signInByDevice = declareRoute({
  label: 'sign-in (by device)',
  declared: signInDevice,
  cheaperAnswer: 'the turns of its network',
  isAnonymous: true,
})

/**
 * Failed sign-ins to one account from anywhere. Beyond it sign-ins are delayed but never refused, so that guessing cannot
 * lock the owner out. A successful sign-in refunds only its own permit: earlier guesses still count.
 */
const signInAccount: readonly RuleSet[] = [
  {
    name: 'sign-in-account',
    by: 'subject',
    count: 'failures',
    rules: [{ limit: 30, window: '10m' }],
  },
]

export const signInByAccount = declareRoute({
  label: 'sign-in (by account)',
  declared: signInAccount,
  isAnonymous: true,
})
