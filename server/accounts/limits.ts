import type { RuleSet } from '#server/limits/rule-set.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'

/** Reading your account and lists of users: cheap, and part of every page. */
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

/** How the own pages look: a person who tries what there is changes it a few times. */
export const preferenceChange: readonly RuleSet[] = [
  {
    name: 'preference-change',
    by: 'subject',
    rules: [
      { limit: 30, window: '1m' },
      { limit: 300, window: '1h' },
    ],
  },
]

/** Deleting one's account: each try costs a hash. */
export const accountDeletion: readonly RuleSet[] = [
  {
    by: 'subject',
    rules: [
      { limit: 5, window: '1m' },
      { limit: 20, window: '1h' },
    ],
  },
]

/**
 * Revoking, signing out everywhere, banning: what ends an abuse. Without a name, so that each procedure has a set of its
 * own, which no other call can use up.
 */
export const revocation: readonly RuleSet[] = [
  {
    by: 'subject',
    rules: [
      { limit: 30, window: '1m' },
      { limit: 300, window: '1h' },
    ],
  },
]

/** Changing the password also ends an abuse, and has a set of its own; each try costs a hash. */
export const passwordChange: readonly RuleSet[] = [
  {
    by: 'subject',
    rules: [
      { limit: 10, window: '1m' },
      { limit: 60, window: '1h' },
    ],
  },
]

/** Creating an account: a hash, a row and a quota each, open to everyone. Charged once the invite is known to be right. A network is
 *  bounded too: one IPv6 /48 has 65,536 addresses as limits count them. */
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
  {
    name: 'network-sign-up',
    by: 'network',
    rules: [
      { limit: 25, window: '1m' },
      { limit: 100, window: '1d' },
    ],
    onStoreFailure: 'deny',
  },
]

export const signUps = declareRoute({
  label: 'sign-up (accounts)',
  declared: signUp,
  isAnonymous: false,
})

/** Setting up: the code has 100 random bits, out of reach of ten guesses a minute. */
export const setUp: readonly RuleSet[] = [
  { name: 'set-up', by: 'ip', rules: [{ limit: 10, window: '1m' }], onStoreFailure: 'deny' },
]

/** Administering accounts and invites: generous for a person, tight for a stolen session. */
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
