import type { RuleSet } from '#server/limits/rule-set.ts'

/** Looking at one's account and at lists of people: cheap, and asked by every page. */
export const accountView: readonly RuleSet[] = [
  {
    name: 'account-view',
    by: 'subject',
    rules: [
      { limit: 20, window: '1s' },
      { limit: 300, window: '1m' },
    ],
  },
]

/** Changing one's own account: a person does this a few times a day; each password check costs a hash. */
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

/** Making an account: a hash and a row each, open to strangers. */
export const signUp: readonly RuleSet[] = [
  {
    name: 'sign-up',
    by: 'ip',
    rules: [
      { limit: 5, window: '1m' },
      { limit: 20, window: '1d' },
    ],
    onStoreFailure: 'deny',
  },
]

/** Setting up: the code has 100 random bits; ten guesses a minute keep it that way. */
export const setUp: readonly RuleSet[] = [
  { name: 'set-up', by: 'ip', rules: [{ limit: 10, window: '1m' }], onStoreFailure: 'deny' },
]

/** Administration of accounts and invites: generous for a person, narrow for a stolen session. */
export const userAdmin: readonly RuleSet[] = [
  {
    name: 'user-admin',
    by: 'subject',
    rules: [
      { limit: 30, window: '1m' },
      { limit: 300, window: '1h' },
    ],
  },
]

/** Wrong tokens of programs from one address: each costs a look-up, and a program whose token has ended soon finds out. */
export const wrongToken: readonly RuleSet[] = [
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

/** Wrong sign-ins from one address: bounds the guessing over many accounts, and no office that signs in. */
export const signInAddress: readonly RuleSet[] = [
  {
    name: 'sign-in-address',
    by: 'ip',
    count: 'failures',
    rules: [
      { limit: 60, window: '1m' },
      { limit: 600, window: '1h' },
    ],
    onStoreFailure: 'deny',
  },
]

/** Wrong sign-ins to one account from one address: refused beyond it, which locks nobody else out. */
export const signIn: readonly RuleSet[] = [
  {
    name: 'sign-in',
    by: 'subject',
    count: 'failures',
    rules: [
      { limit: 10, window: '1m' },
      { limit: 50, window: '1h' },
    ],
    onStoreFailure: 'deny',
  },
]

/**
 * Wrong sign-ins to one account from anywhere: slowed beyond it, never refused, so that guessers cannot lock its owner out. A
 * right one gives back what it took itself: it does not forget the guesses.
 */
export const signInAccount: readonly RuleSet[] = [
  {
    name: 'sign-in-account',
    by: 'subject',
    count: 'failures',
    rules: [{ limit: 30, window: '10m' }],
    onStoreFailure: 'deny',
  },
]
