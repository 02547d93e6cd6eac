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

/** Changing the display name and the profile and removing the picture: rare, and seen by others. */
export const profileChange: readonly RuleSet[] = [
  {
    name: 'profile-change',
    by: 'subject',
    rules: [
      { limit: 10, window: '1m' },
      { limit: 60, window: '1d' },
    ],
  },
]

/** Profiles that are looked at, open or not. */
export const profileView: readonly RuleSet[] = [
  {
    name: 'profile-view',
    by: 'subject',
    rules: [
      { limit: 60, window: '1s' },
      { limit: 600, window: '1m', algorithm: 'sliding-window-counter' },
    ],
  },
]

/** Setting the picture: each file is cleaned and decoded like an upload. */
export const pictureUpload: readonly RuleSet[] = [
  {
    name: 'picture-upload',
    by: 'subject',
    rules: [
      { limit: 5, window: '1m' },
      { limit: 30, window: '1d' },
    ],
  },
]

/** Pictures of accounts: small, and kept by browsers. A page shows one, a list of users fifty. */
const pictureView: readonly RuleSet[] = [
  {
    name: 'picture-view',
    by: 'ip',
    rules: [
      { limit: 200, window: '1s' },
      { limit: 3_000, window: '1m', algorithm: 'sliding-window-counter' },
    ],
  },
]

export const pictureRoute = declareRoute({
  label: 'account pictures',
  declared: pictureView,
  isAnonymous: true,
})

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

/** Invites that are looked up. Nobody can guess their 128 random bits, so wrong ones do not keep a right one from the same
 *  address. */
export const inviteLookup: readonly RuleSet[] = [
  { name: 'invite-lookup', by: 'ip', rules: [{ limit: 300, window: '1s' }] },
]

/** Links that set a password, right or wrong: nobody can guess their 256 random bits either. */
export const passwordLinkLookup: readonly RuleSet[] = [
  { name: 'password-link-lookup', by: 'ip', rules: [{ limit: 300, window: '1s' }] },
]

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

/** Creating an account: a hash and a row each, open to everyone. Charged once the invite is known to be right. */
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
