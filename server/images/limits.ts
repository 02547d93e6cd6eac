import type { InputRuleSet, RuleSet } from '#server/limits/rule-set.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'

/**
 * Thumbnails, page views, lists and details. A gallery page is a list and 30 thumbnails: ten pages a minute are 310
 * calls, and a quick scroll through five of them asks for 155 in a second or two. Twice that passes; a script that reads
 * an archive through the thumbnails meets the hour. Windows of so many calls are counted by samples, not call by call.
 */
export const view: readonly RuleSet[] = [
  {
    name: 'view',
    by: 'subject',
    rules: [
      { limit: 300, window: '1s' },
      { limit: 1_200, window: '1m', algorithm: 'sliding-window-counter' },
      { limit: 15_000, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]

/**
 * Renderings of more than 800 pixels, which are several times a thumbnail's bytes; taken beside `view`. A page of its own
 * shows one, and so do the tiles of a phone with a fine screen: five pages of a gallery are 150 at once, and twice that
 * pass. Beyond it, or beyond fifty a minute in the long run, the smaller one is sent for a while.
 */
export const viewLarge: readonly RuleSet[] = [
  {
    name: 'view-large',
    by: 'subject',
    mode: 'degrade',
    rules: [
      { limit: 300, window: '1m', algorithm: 'token-bucket' },
      { limit: 3_000, window: '1h', algorithm: 'token-bucket' },
    ],
  },
]

/**
 * Originals: the calls that cost bandwidth. Saving an image from its page takes two permits, the link and the bytes; a zip
 * takes one for each image, and all of a hundred at once. Never more than a limit says, for each is paid for.
 */
export const download: readonly RuleSet[] = [
  {
    name: 'download',
    by: 'subject',
    rules: [
      { limit: 100, window: '1m' },
      { limit: 1_000, window: '1h', algorithm: 'sliding-window-counter', oldest: 'whole' },
      { limit: 5_000, window: '1d', algorithm: 'sliding-window-counter', oldest: 'whole', samples: 24 },
    ],
  },
]

/** A subject's links to one and the same original: no loop's. They count the id that is asked for, there or not. */
export const downloadAgain: readonly InputRuleSet<{ id: string }>[] = [
  {
    name: 'download-again',
    by: { input: 'id', per: 'subject' },
    rules: [{ limit: 200, window: '1h', algorithm: 'sliding-window-counter' }],
  },
]

/**
 * The original of one image, read by everybody together, so that what is all the rage elsewhere does not use up the month.
 * Taken beside `download`, where the bytes leave; it counts the address that is asked for, there or not.
 */
export const downloadOfOne: readonly InputRuleSet<{ slug: string }>[] = [
  {
    name: 'download-of-one',
    by: { input: 'slug' },
    rules: [{ limit: 20_000, window: '1h', algorithm: 'sliding-window-counter' }],
  },
]

/**
 * The renderings of one image, read by everybody together: ten times what an hour can give one subject, with what was left
 * of the one before. An address that is all the rage elsewhere is sent by caches that keep it for minutes; thousands of
 * addresses that each ask anew are no people.
 */
export const viewOfOne: readonly InputRuleSet<{ slug: string }>[] = [
  {
    name: 'view-of-one',
    by: { input: 'slug' },
    rules: [{ limit: 300_000, window: '1h', algorithm: 'sliding-window-counter' }],
  },
]

/**
 * Bytes of images that leave for a subject, originals and renderings alike: reserved before the head is written, and settled
 * by what the client really took. The hour's are four thousand photographs of 5 MB, which no person looks through; the day's
 * are the largest archive that one may carry home.
 */
export const sentBytes: readonly RuleSet[] = [
  {
    name: 'sent-bytes',
    by: 'subject',
    unit: 'bytes',
    rules: [
      { limit: '20GB', window: '1h', algorithm: 'sliding-window-counter' },
      { limit: '100GB', window: '1d', algorithm: 'sliding-window-counter', samples: 24 },
    ],
  },
]

/**
 * A dropped folder of sixty photographs goes up in one minute. A page sends two at a time, a script perhaps ten: beyond
 * eight they wait for one another, their bodies unread. The day's bytes are those of 819 files of 25 MB.
 */
export const upload: readonly RuleSet[] = [
  {
    name: 'upload',
    by: 'subject',
    rules: [
      { limit: 20, window: '1s' },
      { limit: 60, window: '1m' },
      { limit: 300, window: '1h', algorithm: 'sliding-window-counter', oldest: 'whole' },
      { limit: 1_000, window: '1d', algorithm: 'sliding-window-counter', oldest: 'whole', samples: 24 },
    ],
  },
  { name: 'uploading', by: 'subject', wait: '30s', rules: [{ concurrent: 8 }] },
  {
    name: 'upload-bytes',
    by: 'subject',
    unit: 'bytes',
    rules: [{ limit: '20GB', window: '1d', algorithm: 'fixed-window', align: 'day' }],
  },
]

/**
 * Titles and visibility: a row each. As many at once as one may select, and their undo; then one a second, and ten a minute
 * in the long run.
 */
export const edit: readonly RuleSet[] = [
  {
    name: 'edit',
    by: 'subject',
    rules: [
      { limit: 60, window: '1m', algorithm: 'token-bucket', burst: 200 },
      { limit: 600, window: '1h', algorithm: 'token-bucket' },
    ],
  },
]

/**
 * Into the trash, out of it and beyond, one by one or many in a call. Who selects a hundred images wants them gone at once,
 * and back at once when that was a mistake: two hundred pass, then one a second. The hour and the day are what a stolen
 * session meets: it empties no archive unseen, for it takes a permit into the trash and another beyond, a thousand images
 * a day at most.
 */
export const remove: readonly RuleSet[] = [
  {
    name: 'delete',
    by: 'subject',
    rules: [
      { limit: 60, window: '1m', algorithm: 'token-bucket', burst: 200 },
      { limit: 600, window: '1h', algorithm: 'sliding-window-counter', oldest: 'whole' },
      { limit: 2_000, window: '1d', algorithm: 'sliding-window-counter', oldest: 'whole', samples: 24 },
    ],
  },
]

/** An admin trashing or restoring what is somebody else's: rare, and seen by its owner. Taken beside `delete`. */
export const moderate: readonly RuleSet[] = [
  {
    name: 'moderate',
    by: 'subject',
    rules: [
      { limit: 10, window: '1m' },
      { limit: 60, window: '1h' },
      { limit: 200, window: '1d' },
    ],
  },
]

export const moderation = declareRoute({
  label: 'trash (moderation)',
  words: 'image.delete and image.restore of what is somebody else’s',
  declared: moderate,
  isAnonymous: false,
})

/** The same by a shared admin, behind whom stands anybody: the odd test image, and no spree. */
export const moderateShared: readonly RuleSet[] = [
  {
    name: 'moderate-shared',
    by: 'subject',
    rules: [
      { limit: 2, window: '1m' },
      { limit: 10, window: '1h' },
      { limit: 20, window: '1d' },
    ],
  },
]

export const sharedModeration = declareRoute({
  label: 'trash (shared moderation)',
  words: 'The same by a shared account',
  declared: moderateShared,
  isAnonymous: false,
})

/** Deletion links, looked at and used, by whoever has one: a person's few, and far from enough to guess at. */
export const deletionLink: readonly RuleSet[] = [
  {
    name: 'deletion-link',
    by: 'ip',
    rules: [
      { limit: 30, window: '1m' },
      { limit: 300, window: '1h' },
    ],
  },
]
