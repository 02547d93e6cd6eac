import type { LimitRequest, OwnLimits } from '#server/limits/charges.ts'
import type { InputRuleSet, RuleSet } from '#server/limits/rule-set.ts'
import { declareRoute, setsOf } from '#server/limits/rules/declared-route.ts'
import { type AnyCaller, networkOf, type SubjectKey } from '#server/limits/subject.ts'
import type { ShareRow } from './share-row.ts'

/**
 * What any one link may cost; owners choose less. Charged in addition to what is charged to the visitor, in one decision: a link
 * that goes viral stops itself, and no other. A visitor who opens a page of thirty images makes thirty requests: an hour allows
 * thousands of them.
 */
const ofShare: readonly RuleSet[] = [
  {
    name: 'share',
    by: 'subject',
    rules: [
      { limit: 200_000, window: '1h', algorithm: 'sliding-window-counter', oldest: 'whole' },
      { limit: 2_000_000, window: '1d', algorithm: 'sliding-window-counter', oldest: 'whole', samples: 24 },
    ],
  },
]

const bytesOfShare: readonly RuleSet[] = [
  {
    name: 'share-bytes',
    by: 'subject',
    unit: 'bytes',
    rules: [{ limit: '200GB', window: '1d', algorithm: 'sliding-window-counter', oldest: 'whole', samples: 24 }],
  },
]

/** A network of visitors has a twentieth of that, so that nobody alone uses up a link for everybody else. It is counted beside
 *  the share, in the same slot. A lower limit of the owner's is for all networks together. */
const ofNetwork: readonly InputRuleSet<FromNetwork>[] = [
  {
    name: 'network-share',
    by: { input: 'network', per: 'subject' },
    rules: [
      { limit: 10_000, window: '1h', algorithm: 'sliding-window-counter', oldest: 'whole' },
      { limit: 100_000, window: '1d', algorithm: 'sliding-window-counter', oldest: 'whole', samples: 24 },
    ],
  },
]

const bytesOfNetwork: readonly InputRuleSet<FromNetwork>[] = [
  {
    name: 'network-share-bytes',
    by: { input: 'network', per: 'subject' },
    unit: 'bytes',
    rules: [{ limit: '10GB', window: '1d', algorithm: 'sliding-window-counter', oldest: 'whole', samples: 24 }],
  },
]

interface FromNetwork {
  readonly network: string
}

const forShares = { isAnonymous: false, isForShares: true } as const

export const shareRoute = declareRoute({ ...forShares, label: 'shares', declared: [...ofShare, ...ofNetwork] })
export const shareBytesRoute = declareRoute({
  ...forShares,
  label: 'shares (bytes)',
  declared: [...bytesOfShare, ...bytesOfNetwork],
})

/** A share as far as limits count it. */
export type LimitedShare = Pick<ShareRow, 'id' | 'requestsPerHour' | 'requestsPerDay' | 'bytesPerDay'>

/** Returns the subject that a share's limits count by. */
export const callerByShare = ({ id }: Pick<ShareRow, 'id'>): SubjectKey => ({ subjectKey: `share/${id}` })

/** The policies of a share's limits, by their names in procedures. */
export const sharePolicies = {
  requestsPerHour: 'share-1h',
  requestsPerDay: 'share-1d',
  bytesPerDay: 'share-bytes-1d',
} as const

export type ShareLimit = keyof typeof sharePolicies

export const shareLimits = ['requestsPerHour', 'requestsPerDay', 'bytesPerDay'] as const satisfies readonly ShareLimit[]

/** Returns the request for `cost` permits of a share, for a visitor. */
export const shareRequest = (share: LimitedShare, visitor: AnyCaller, cost = 1): LimitRequest => ({
  procedure: shareRoute.label,
  sets: shareRoute.sets,
  ...payer(share),
  input: { network: networkOf(visitor) },
  cost,
})

/** Returns the request for bytes of a share, for a visitor. */
export const shareBytes = (share: LimitedShare, visitor: AnyCaller, bytes: number): LimitRequest => ({
  procedure: shareBytesRoute.label,
  sets: shareBytesRoute.sets,
  ...payer(share),
  input: { network: networkOf(visitor) },
  bytes,
})

/** Returns the requests by which to see what a share has used, whoever its visitors are. */
export const shareTotals = (share: LimitedShare): readonly LimitRequest[] => [
  { sets: setsOf(shareRoute, ofShare), ...payer(share) },
  { sets: setsOf(shareBytesRoute, bytesOfShare), ...payer(share), bytes: 1 },
]

const payer = (share: LimitedShare) => ({ caller: callerByShare(share), own: ownLimits(share) })

function ownLimits({ requestsPerHour, requestsPerDay, bytesPerDay }: LimitedShare): OwnLimits {
  return {
    ...(requestsPerHour !== null && { [sharePolicies.requestsPerHour]: requestsPerHour }),
    ...(requestsPerDay !== null && { [sharePolicies.requestsPerDay]: requestsPerDay }),
    ...(bytesPerDay !== null && { [sharePolicies.bytesPerDay]: Number(bytesPerDay) }),
  }
}

interface Shown {
  readonly target: { readonly album: string } | { readonly images: readonly unknown[] }
}

/** Images that are shared by themselves, each a row: one share has at most 1,000, and an archive of shares is restored in hours. */
const sharedImages: InputRuleSet<Shown> = {
  name: 'share-images',
  by: 'subject',
  cost: ({ target }) => ('album' in target ? 1 : target.images.length),
  rules: [
    { limit: 2_000, window: '1m', algorithm: 'token-bucket', burst: 10_000 },
    { limit: 20_000, window: '1h', algorithm: 'token-bucket' },
  ],
}

/** Making and changing shares: a person makes some at a time, a program one for each image that it sends. */
export const shareChange: readonly RuleSet[] = [
  {
    name: 'share-change',
    by: 'subject',
    rules: [
      { limit: 30, window: '1m' },
      { limit: 300, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]

export const shareCreation: readonly InputRuleSet<Shown>[] = [...shareChange, sharedImages]

/** Shares of an export, one at a time. */
export const shareRestoring: readonly InputRuleSet<Shown>[] = [
  {
    name: 'share-restore',
    by: 'subject',
    rules: [
      { limit: 120, window: '1m' },
      { limit: 2_000, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
  sharedImages,
]

/** Lists of shares and what they were used for. */
export const shareView: readonly RuleSet[] = [
  {
    name: 'share-view',
    by: 'subject',
    rules: [
      { limit: 20, window: '1s' },
      { limit: 300, window: '1m' },
    ],
  },
]

/** Ending what has gone wrong: a set of its own, which no other call can use up. */
export const shareRevocation: readonly RuleSet[] = [
  {
    name: 'share-revoke',
    by: 'subject',
    rules: [
      { limit: 100, window: '1m' },
      { limit: 1_000, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]

/** Links that are looked up, right or wrong. */
export const shareLookUp: readonly RuleSet[] = [
  { name: 'share-lookup', by: 'ip', rules: [{ limit: 300, window: '1s' }] },
  { name: 'network-share-lookup', by: 'network', rules: [{ limit: 1_500, window: '1s' }] },
]

/** Wrong links: nobody can guess their 144 random bits, so right ones from the same address are not refused. */
export const wrongShareLink: readonly RuleSet[] = [
  {
    name: 'share-link',
    by: 'ip',
    rules: [
      { limit: 30, window: '1m' },
      { limit: 300, window: '1h' },
    ],
  },
]

export const wrongShareLinks = declareRoute({
  label: 'wrong share links',
  declared: wrongShareLink,
  isAnonymous: false,
})

/**
 * Wrong passwords, before any hashing: from one address and its network, from one address to one share, and to one share from
 * anywhere, of which a network has a twentieth. Who guesses from a thousand addresses has two hundred guesses an hour, and keeps
 * no open visit from what it is good for.
 */
const passwords: readonly InputRuleSet<{ share: string }>[] = [
  {
    name: 'share-open-address',
    by: 'ip',
    count: 'failures',
    rules: [
      { limit: 60, window: '1m' },
      { limit: 600, window: '1h' },
    ],
  },
  {
    name: 'network-share-open',
    by: 'network',
    count: 'failures',
    rules: [
      { limit: 300, window: '1m' },
      { limit: 3_000, window: '1h' },
    ],
  },
  {
    name: 'share-password',
    by: { input: 'share', per: 'subject' },
    count: 'failures',
    rules: [
      { limit: 10, window: '1m' },
      { limit: 50, window: '1h' },
    ],
  },
  {
    name: 'share-password-of-one',
    by: { input: 'share' },
    networks: 20,
    count: 'failures',
    rules: [{ limit: 200, window: '1h' }],
  },
]

export const sharePasswords = declareRoute({ label: 'share passwords', declared: passwords, isAnonymous: false })

/** Returns the request for trying a password of a share. */
export const passwordRequest = ({ id }: Pick<ShareRow, 'id'>, caller: AnyCaller): LimitRequest => ({
  procedure: sharePasswords.label,
  sets: sharePasswords.sets,
  caller,
  input: { share: id },
})
