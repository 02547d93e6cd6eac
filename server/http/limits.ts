import { tokenRequests } from '#server/accounts/tokens/token-limits.ts'
import type { Viewer } from '#server/accounts/viewer.ts'
import { download, downloadOfOne, revalidation, sentBytes, view, viewLarge, viewOfOne } from '#server/images/limits.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import type { RuleSet } from '#server/limits/rule-set.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'

/** Pages and next-auth's answers, each of which takes some milliseconds of the only thread. Enough for an office behind one
 *  address. */
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
  declared: page,
  isAnonymous: true,
})

/**
 * Bytes of scripts, styles and icons, precompressed; a 304 counts as a KB. A first visit takes some 500 KB, and browsers keep
 * it: enough for hundreds of people behind one address. Each process counts for itself, because asking Redis was a quarter of
 * what an asset costs.
 */
const asset: readonly RuleSet[] = [
  {
    name: 'asset-bytes',
    by: 'ip',
    scope: 'instance',
    unit: 'bytes',
    rules: [
      { limit: '200MB', window: '1m', algorithm: 'sliding-window-counter' },
      { limit: '1GB', window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]

export const assetsRoute = declareRoute({
  label: 'assets',
  declared: asset,
  isAnonymous: true,
})

/** Wrong tokens for /metrics. The right one, of 16 characters and more, is never refused. */
const metrics: readonly RuleSet[] = [
  { name: 'metrics', by: 'ip', count: 'failures', rules: [{ limit: 10, window: '1m' }] },
]

export const metricsRoute = declareRoute({
  label: 'metrics',
  declared: metrics,
  isAnonymous: true,
})

/** Upload requests refused before a file was found in them; files themselves are charged as uploads. */
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
  declared: uploadForm,
  isAnonymous: true,
})

/** Forged or expired zip links. Opening one costs a decryption, and only a genuine one a look-up. */
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
  declared: zipLink,
  isAnonymous: true,
})

/** Bytes of images sent to one token, in addition to its owner's: enough to back up an archive over some days. */
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
  declared: tokenSent,
  isAnonymous: false,
  scope: 'read',
  isForTokens: true,
})

/** Returns the requests for bytes sent to a token; none without a token. */
export function tokenBytes(tokenHolder: Viewer | null, bytes: number): readonly LimitRequest[] {
  return tokenRequests(tokenHolder, 'read').map(({ caller }) => ({
    procedure: tokenBytesRoute.label,
    sets: tokenBytesRoute.sets,
    caller,
    bytes,
  }))
}

/** The bytes of an image: originals, small and large variants cost differently. Every other route to the same bytes charges the
 *  same rule sets, as zips do (server/images/zip/limits.ts), so that none of them bypasses a limit. */
export const imageRoutes = {
  original: declareRoute({
    label: 'image bytes (original)',
    arguments: ['slug'],
    declared: [...revalidation, ...download, ...downloadOfOne, ...sentBytes],
    isAnonymous: false,
    scope: 'read',
  }),
  small: declareRoute({
    label: 'image bytes (small)',
    arguments: ['slug'],
    declared: [...revalidation, ...view, ...viewOfOne, ...sentBytes],
    isAnonymous: false,
    scope: 'read',
  }),
  large: declareRoute({
    label: 'image bytes (large)',
    arguments: ['slug'],
    declared: [...revalidation, ...view, ...viewOfOne, ...viewLarge, ...sentBytes],
    cheaperAnswer: 'the variant of 800 pixels',
    isAnonymous: false,
    scope: 'read',
  }),
} as const
