import { tokenRequests } from '#server/accounts/tokens/token-limits.ts'
import type { Viewer } from '#server/accounts/viewer.ts'
import { download, downloadOfOne, sentBytes } from '#server/images/limits.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import type { RuleSet } from '#server/limits/rule-set.ts'
import { declareRoute, setsOf } from '#server/limits/rules/declared-route.ts'
import type { Caller } from '#server/limits/subject.ts'

/** Zips being sent: each holds a connection and reads the store all the while. */
const zipping: readonly RuleSet[] = [{ name: 'zipping', by: 'subject', rules: [{ concurrent: 2 }] }]

/** Parts of an export that are asked for. Their bytes are charged as zips are, when they are sent. */
export const exporting: readonly RuleSet[] = [
  {
    name: 'export',
    by: 'subject',
    rules: [
      { limit: 30, window: '1m' },
      { limit: 500, window: '1d', algorithm: 'sliding-window-counter', samples: 24 },
    ],
  },
]

/** Charges as many permits of `download` as the zip has images, and one for each image, as every other download does. */
export const zipRoute = declareRoute({
  label: 'zip',
  declared: [...download, ...zipping, ...downloadOfOne, ...sentBytes],
  isAnonymous: false,
  scope: 'read',
})

const calls = setsOf(zipRoute, [...download, ...zipping])
const downloads = setsOf(zipRoute, download)
const perImage = setsOf(zipRoute, downloadOfOne)
const bytes = setsOf(zipRoute, sentBytes)

/** Returns the charges of a zip before its images are looked up, including those of the payer's token. */
export function zipCalls(caller: Caller, payer: Viewer | null, images: number): readonly LimitRequest[] {
  const cost = Math.max(1, images)
  return [{ procedure: zipRoute.label, sets: calls, caller, cost }, ...tokenRequests(payer, 'read', cost)]
}

/** Returns the charges of `images` more, for a zip that has been charged. */
export const furtherImages = (caller: Caller, images: number): readonly LimitRequest[] =>
  images === 0 ? [] : [{ sets: downloads, caller, cost: images }]

/** Returns the charges of a zip's bytes, once its images are known. */
export function zipBytes(caller: Caller, slugs: readonly string[], amount: number): readonly LimitRequest[] {
  const ofImages = slugs.length > 0 ? [{ sets: perImage, caller, input: { slug: slugs } }] : []
  return [...ofImages, { sets: bytes, caller, bytes: amount }]
}
