import type { RuleSet } from '#server/limits/rule-set.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'

/** Confirming who you are: each try costs a hash. */
export const proving: readonly RuleSet[] = [
  {
    name: 'identity-prove',
    by: 'subject',
    rules: [
      { limit: 5, window: '1m' },
      { limit: 30, window: '1h' },
    ],
  },
]

/** Setting up, replacing and removing second factors, and making recovery codes. */
export const factorChange: readonly RuleSet[] = [
  {
    name: 'factor-change',
    by: 'subject',
    rules: [
      { limit: 20, window: '1m' },
      { limit: 100, window: '1h' },
    ],
  },
]

/** What passkeys are asked to sign: a row each, for ten minutes. A sign-in page asks as it opens. */
export const passkeyChallenge: readonly RuleSet[] = [
  {
    name: 'passkey-challenge',
    by: 'subject',
    rules: [
      { limit: 60, window: '1m' },
      { limit: 600, window: '1h' },
    ],
  },
]

/** The same for whoever signs in, by network: nobody fills the database with them from an IPv6 /48. */
export const passkeySignIn: readonly RuleSet[] = [
  ...passkeyChallenge,
  {
    name: 'network-passkey-challenge',
    by: 'network',
    rules: [
      { limit: 300, window: '1m' },
      { limit: 3_000, window: '1h' },
    ],
  },
]

/** Wrong answers in the second step of sign-ins from one address. */
const secondStepAddress: readonly RuleSet[] = [
  {
    name: 'second-step-address',
    by: 'ip',
    count: 'failures',
    rules: [
      { limit: 20, window: '1m' },
      { limit: 200, window: '1h' },
    ],
  },
]

export const secondStepByAddress = declareRoute({
  label: 'second step (by address)',
  declared: secondStepAddress,
  isAnonymous: true,
})

/**
 * Wrong codes of six digits for one account: counted together wherever they come from, because whoever has the password can guess from
 * many addresses, but apart for each device that the account is known on, so that nobody else can use up its owner's tries.
 * Recovery codes and passkeys, which nobody can guess, pass all the same. 30 a day find one of three valid codes once in 30 years.
 */
const secondStepGuesses: readonly RuleSet[] = [
  {
    name: 'second-step-guesses',
    by: 'subject',
    count: 'failures',
    rules: [
      { limit: 10, window: '10m' },
      { limit: 30, window: '1d' },
    ],
  },
]

export const secondStepByAccount = declareRoute({
  label: 'second step (by account)',
  declared: secondStepGuesses,
  isAnonymous: true,
})

/** Sign-ins, links and proofs by providers, from leaving for one to coming back: each asks somebody else's server. */
const providerRounds: readonly RuleSet[] = [
  {
    name: 'provider-round',
    by: 'ip',
    rules: [
      { limit: 30, window: '1m' },
      { limit: 300, window: '1h' },
    ],
  },
  // Twenty networks and more, so that no few use it up.
  { name: 'provider-round-of-site', by: 'site', networks: 20, rules: [{ limit: 2_000, window: '1m' }] },
]

export const providerRoundRoute = declareRoute({
  label: 'providers (sign-in)',
  declared: providerRounds,
  isAnonymous: true,
})

/** Trying a provider's address: its server must answer. */
export const providerTest: readonly RuleSet[] = [
  {
    name: 'provider-test',
    by: 'subject',
    rules: [
      { limit: 20, window: '1m' },
      { limit: 100, window: '1h' },
    ],
  },
]
