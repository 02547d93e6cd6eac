import { wrongTokenLimit } from '#server/accounts/identify.ts'
import { signIn, signInAccount, signInAddress, wrongToken } from '#server/accounts/limits.ts'
import { tokenRequests, tokenRules } from '#server/accounts/tokens/token-limits.ts'
import type { Scope, Viewer } from '#server/accounts/viewer.ts'
import {
  download,
  downloadOfOne,
  moderate,
  moderateShared,
  sentBytes,
  view,
  viewLarge,
  viewOfOne,
} from '#server/images/limits.ts'
import { zipLimits, zipRules } from '#server/images/zip/limits.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import type { AnyRuleSet, RuleSet } from '#server/limits/rule-set.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import type { Declared } from '#server/limits/rules/names.ts'

/** What is charged beside what procedures declare. */
export interface DeclaredElsewhere extends Declared {
  /** The rule sets as they are written. */
  readonly declared: readonly AnyRuleSet[]
  /** What of Sluice takes from them, in words. */
  readonly words: string
  /** Decided before it is known who calls: by an address, or a name that was tried, and no role. */
  readonly isAnonymous: boolean
  /** What a token must be for, to take from them. */
  readonly scope?: Scope | undefined
  /** Taken of tokens, beside what their owners take. */
  readonly isForTokens?: boolean | undefined
}

/** Pages and next-auth's answers, each some milliseconds of the one thread: more than a quick person, or an office of them, opens. */
const page: readonly RuleSet[] = [
  {
    name: 'page',
    by: 'ip',
    rules: [
      { limit: 60, window: '1s' },
      { limit: 1_200, window: '1m', algorithm: 'sliding-window-counter' },
    ],
  },
]

export const pageLimit = compileRuleSets('pages', page)

/** Wrong tokens for /metrics. A right one costs nothing, and is refused too once there were so many. */
const metrics: readonly RuleSet[] = [
  { name: 'metrics', by: 'ip', count: 'failures', rules: [{ limit: 10, window: '1m' }] },
]

export const metricsLimit = compileRuleSets('metrics', metrics)

/** Requests to upload that were refused before any file was found in them: such a file would be charged. */
const uploadForm: readonly RuleSet[] = [
  {
    name: 'upload-form',
    by: 'ip',
    count: 'failures',
    rules: [
      { limit: 60, window: '1s' },
      { limit: 1_200, window: '1m', algorithm: 'sliding-window-counter' },
    ],
  },
]

export const uploadFormLimit = compileRuleSets('upload forms', uploadForm)

/** Links to zips that are forged, or have ended: each is opened, and its holder looked up. */
const zipLink: readonly RuleSet[] = [
  {
    name: 'zip-link',
    by: 'ip',
    count: 'failures',
    rules: [
      { limit: 30, window: '1m' },
      { limit: 300, window: '1h' },
    ],
  },
]

export const zipLinkLimit = compileRuleSets('zip links', zipLink)

/** Bytes of images that are sent to one token, beside its owner's: a day's of an archive that goes home by parts. */
const tokenSent: readonly RuleSet[] = [
  {
    name: 'token-sent-bytes',
    by: 'subject',
    unit: 'bytes',
    rules: [{ limit: '20GB', window: '1d', algorithm: 'sliding-window-counter', samples: 24 }],
  },
]

const tokenSentLimit = compileRuleSets('api tokens', tokenSent)

/** What bytes take of the token in whose name they are sent; nothing without one. */
export function tokenBytes(payer: Viewer | null, bytes: number): readonly LimitRequest[] {
  return tokenRequests(payer, 'read').map(({ caller }) => ({ sets: tokenSentLimit, caller, bytes }))
}

const original = [...download, ...downloadOfOne, ...sentBytes]
const small = [...view, ...viewOfOne, ...sentBytes]
const large = [...view, ...viewOfOne, ...viewLarge, ...sentBytes]

/** What the bytes of an image cost: the original, or a rendering by whether it is a large one. */
export const imageLimits = {
  original: compileRuleSets('image bytes', original),
  small: compileRuleSets('image bytes', small),
  large: compileRuleSets('image bytes', large),
} as const

interface Part {
  readonly words: string
  readonly declared: readonly AnyRuleSet[]
  readonly sets?: readonly CompiledRuleSet[]
  readonly scope?: Scope
}

/** The parts of a route by their names; calls of one are labelled by the same. */
function partsOf(route: string, isAnonymous: boolean, parts: Readonly<Record<string, Part>>): DeclaredElsewhere[] {
  return Object.entries(parts).map(([name, { sets, ...part }]) => {
    const compiled = sets ?? compileRuleSets(route, part.declared)
    return { procedure: `${route} (${name})`, ...part, sets: compiled, isAnonymous }
  })
}

/** All that is charged beside what procedures declare: by routes, by the sign-in, and within procedures. */
export const limitsElsewhere: readonly DeclaredElsewhere[] = [
  {
    procedure: 'pages',
    words: 'Every page, and what signing in and out answers',
    declared: page,
    sets: pageLimit,
    isAnonymous: true,
  },
  {
    procedure: 'metrics',
    words: 'Wrong tokens for /metrics from an address',
    declared: metrics,
    sets: metricsLimit,
    isAnonymous: true,
  },
  {
    procedure: 'wrong tokens',
    words: 'Wrong tokens of programs from an address',
    declared: wrongToken,
    sets: wrongTokenLimit,
    isAnonymous: true,
  },
  {
    procedure: 'upload forms',
    words: 'Requests to upload from an address in which no file was found',
    declared: uploadForm,
    sets: uploadFormLimit,
    isAnonymous: true,
  },
  {
    procedure: 'zip links',
    words: 'Links to zips from an address that lead nowhere',
    declared: zipLink,
    sets: zipLinkLimit,
    isAnonymous: true,
  },
  ...partsOf('api tokens', false, {
    read: {
      words: 'What a program reads by a token, beside its owner’s limits',
      declared: tokenRules.read,
      scope: 'read',
    },
    upload: { words: 'What it uploads', declared: tokenRules.upload, scope: 'upload' },
    manage: { words: 'What it changes and deletes', declared: tokenRules.manage, scope: 'manage' },
    bytes: { words: 'Bytes of images that it is sent', declared: tokenSent, sets: tokenSentLimit, scope: 'read' },
  }).map((part) => ({ ...part, isForTokens: true })),
  ...partsOf('image bytes', false, {
    original: { words: 'The original of an image', declared: original, sets: imageLimits.original, scope: 'read' },
    small: {
      words: 'A rendering of an image of at most 800 pixels',
      declared: small,
      sets: imageLimits.small,
      scope: 'read',
    },
    large: { words: 'A larger rendering of an image', declared: large, sets: imageLimits.large, scope: 'read' },
  }),
  {
    procedure: 'zip',
    words: 'Several originals as one zip: a download of each',
    declared: zipRules,
    sets: zipLimits,
    isAnonymous: false,
    scope: 'read',
  },
  ...partsOf('sign-in', true, {
    'by address': {
      words: 'Wrong sign-ins from an address, in all and to one account',
      declared: [...signInAddress, ...signIn],
    },
    'by account': { words: 'Wrong sign-ins to an account from anywhere, which slow it down', declared: signInAccount },
  }),
  ...partsOf('trash', false, {
    moderation: { words: 'image.delete and image.restore of what is somebody else’s', declared: moderate },
    'shared moderation': { words: 'The same by a shared account', declared: moderateShared },
  }),
]
