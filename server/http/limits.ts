import { tokenRequests } from '#server/accounts/tokens/token-limits.ts'
import type { Viewer } from '#server/accounts/viewer.ts'
import { download, downloadOfOne, sentBytes, view, viewLarge, viewOfOne } from '#server/images/limits.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import type { RuleSet } from '#server/limits/rule-set.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'

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

export const pagesRoute = declareRoute({
  label: 'pages',
  words: 'Every page, and what signing in and out answers',
  declared: page,
  isAnonymous: true,
})

/** Wrong tokens for /metrics. A right one costs nothing, and is refused too once there were so many. */
const metrics: readonly RuleSet[] = [
  { name: 'metrics', by: 'ip', count: 'failures', rules: [{ limit: 10, window: '1m' }] },
]

export const metricsRoute = declareRoute({
  label: 'metrics',
  words: 'Wrong tokens for /metrics from an address',
  declared: metrics,
  isAnonymous: true,
})

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

export const uploadFormsRoute = declareRoute({
  label: 'upload forms',
  words: 'Requests to upload from an address in which no file was found',
  declared: uploadForm,
  isAnonymous: true,
})

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

export const zipLinksRoute = declareRoute({
  label: 'zip links',
  words: 'Links to zips from an address that lead nowhere',
  declared: zipLink,
  isAnonymous: true,
})

/** Bytes of images that are sent to one token, beside its owner's: a day's of an archive that goes home by parts. */
const tokenSent: readonly RuleSet[] = [
  {
    name: 'token-sent-bytes',
    by: 'subject',
    unit: 'bytes',
    rules: [{ limit: '20GB', window: '1d', algorithm: 'sliding-window-counter', samples: 24 }],
  },
]

export const tokenBytesRoute = declareRoute({
  label: 'api tokens (bytes)',
  words: 'Bytes of images that it is sent',
  declared: tokenSent,
  isAnonymous: false,
  scope: 'read',
  isForTokens: true,
})

/** What bytes take of the token in whose name they are sent; nothing without one. */
export function tokenBytes(payer: Viewer | null, bytes: number): readonly LimitRequest[] {
  return tokenRequests(payer, 'read').map(({ caller }) => ({ sets: tokenBytesRoute.sets, caller, bytes }))
}

/** The bytes of an image: originals, small and large variants cost differently. */
export const imageRoutes = {
  original: declareRoute({
    label: 'image bytes (original)',
    words: 'The original of an image',
    declared: [...download, ...downloadOfOne, ...sentBytes],
    isAnonymous: false,
    scope: 'read',
  }),
  small: declareRoute({
    label: 'image bytes (small)',
    words: 'A rendering of an image of at most 800 pixels',
    declared: [...view, ...viewOfOne, ...sentBytes],
    isAnonymous: false,
    scope: 'read',
  }),
  large: declareRoute({
    label: 'image bytes (large)',
    words: 'A larger rendering of an image',
    declared: [...view, ...viewOfOne, ...viewLarge, ...sentBytes],
    isAnonymous: false,
    scope: 'read',
  }),
} as const
