import type { InputRuleSet, RuleSet } from '#server/limits/rule-set.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'

/**
 * Thumbnails, page views, lists and details. A gallery page is a list and 30 thumbnails: ten pages a minute are 310 calls,
 * and a quick scroll through five pages is 155 calls in a second or two. Twice that is allowed; a script that scrapes an
 * archive through its thumbnails reaches the limit per hour. Limits this large use sliding-window counters, which keep no
 * entry per call.
 */
export const view: readonly RuleSet[] = [
  {
    name: 'view',
    by: 'subject',
    penalty: 9,
    rules: [
      { limit: 300, window: '1s' },
      { limit: 1_200, window: '1m', algorithm: 'sliding-window-counter' },
      { limit: 15_000, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]

/**
 * Variants of more than 800 pixels, several times the bytes of a thumbnail; charged in addition to `view`. An image's page
 * shows one, and so does each tile on a phone with a dense screen: five gallery pages are 150 at once, and twice that is
 * allowed. Beyond that, or beyond 50 a minute in the long run, a smaller variant is sent.
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
 * Requests that are usually answered without a body: HEAD, and those with a condition that a client's copy meets (304). As
 * many as of thumbnails. If there is a body to send after all, it is charged like any other.
 */
export const revalidation: readonly RuleSet[] = [
  {
    name: 'revalidate',
    by: 'subject',
    penalty: 9,
    rules: [
      { limit: 300, window: '1s' },
      { limit: 1_200, window: '1m', algorithm: 'sliding-window-counter' },
      { limit: 15_000, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]

/**
 * Originals, which cost bandwidth: a permit for each answer with bytes of one, so that saving an image from its page takes one.
 * A zip takes one for each image, a hundred at once. `oldest: 'whole'` never allows more than the limit, since each costs money.
 */
export const download: readonly RuleSet[] = [
  {
    name: 'download',
    by: 'subject',
    penalty: 9,
    rules: [
      { limit: 100, window: '1m' },
      { limit: 1_000, window: '1h', algorithm: 'sliding-window-counter', oldest: 'whole' },
      { limit: 5_000, window: '1d', algorithm: 'sliding-window-counter', oldest: 'whole', samples: 24 },
    ],
  },
]

/**
 * The link to an original, which is charged as a look at the image. It is refused while there is no permit for the original
 * itself, so that a page can show the wait, but takes none: that is for the answer with the bytes.
 */
export const downloadLink: readonly RuleSet[] = [
  ...view,
  ...download.map((set) => ({ ...set, count: 'failures' as const })),
]

/** A subject's download links for one original, against scripts in a loop. Counts the requested ID, whether it exists or not. */
export const downloadAgain: readonly InputRuleSet<{ id: string }>[] = [
  {
    name: 'download-again',
    by: { input: 'id', per: 'subject' },
    rules: [{ limit: 200, window: '1h', algorithm: 'sliding-window-counter' }],
  },
]

/**
 * Reads of one original by all clients together, so that a viral image does not use up the month's budget. Charged in
 * addition to `download`, and only when bytes are sent: 20 networks can use it up, each with a thousand reads.
 */
export const downloadOfOne: readonly InputRuleSet<{ slug: string }>[] = [
  {
    name: 'download-of-one',
    by: { input: 'slug' },
    networks: 20,
    rules: [{ limit: 20_000, window: '1h', algorithm: 'sliding-window-counter' }],
  },
]

/**
 * Reads of one image's variants by all clients together, charged only when bytes are sent: 20 networks can use it up, each
 * with as much as one subject can read in an hour. A viral image is served by caches, which keep it for minutes. Thousands of clients that each
 * request it again are not people.
 */
export const viewOfOne: readonly InputRuleSet<{ slug: string }>[] = [
  {
    name: 'view-of-one',
    by: { input: 'slug' },
    networks: 20,
    rules: [{ limit: 300_000, window: '1h', algorithm: 'sliding-window-counter' }],
  },
]

/**
 * Bytes of originals and variants that are read for a subject: those it asks for, and the whole for a range of an object of
 * at most 4 MB. Charged before the head is written, cached or not, and not refunded to a client that leaves. An hour allows
 * four thousand photographs of 5 MB, more than a person looks at; a day allows the backup of a large archive.
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
 * A folder of sixty photographs can be uploaded in one minute. A page sends two at a time, a script perhaps ten: beyond
 * eight, uploads wait with their bodies unread. The day's bytes are 819 files of 25 MB.
 */
export const upload: readonly RuleSet[] = [
  {
    name: 'upload',
    by: 'subject',
    penalty: 9,
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
 * Titles, descriptions and visibility: a row each. The burst allows a full selection and its undo, then one a second, and ten a minute in
 * the long run.
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

/** Marks of favourites: a row each. A key press each while one looks through images, or a full selection and its undo. */
export const favourite: readonly RuleSet[] = [
  {
    name: 'favourite',
    by: 'subject',
    rules: [
      { limit: 120, window: '1m', algorithm: 'token-bucket', burst: 200 },
      { limit: 2_000, window: '1h', algorithm: 'token-bucket' },
    ],
  },
]

/**
 * Moving to the trash, restoring and purging, single or in bulk. A user who selects a hundred images can delete them at once,
 * and restore them at once after a mistake: a burst of two hundred, then one a second. The hour and the day bound a stolen
 * session: deleting permanently takes two permits per image, so at most a thousand images a day.
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

/** An admin moves another user's image to the trash or back: rare. Charged in addition to `delete`. */
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
  declared: moderate,
  isAnonymous: false,
})

/** The same by a shared admin account, which anyone may be using: enough for the odd test image. */
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
  declared: moderateShared,
  isAnonymous: false,
})

/** Deletion links that are looked up, right or wrong. */
export const deletionLink: readonly RuleSet[] = [
  { name: 'deletion-link-lookup', by: 'ip', rules: [{ limit: 300, window: '1s' }] },
  { name: 'network-deletion-link', by: 'network', rules: [{ limit: 1_500, window: '1s' }] },
]

/** Wrong deletion links: they have too many random bits to guess one, so right ones from the same address are not refused. */
export const wrongDeletionLink: readonly RuleSet[] = [
  {
    name: 'deletion-link',
    by: 'ip',
    rules: [
      { limit: 30, window: '1m' },
      { limit: 300, window: '1h' },
    ],
  },
]

export const wrongDeletionLinks = declareRoute({
  label: 'wrong deletion links',
  declared: wrongDeletionLink,
  isAnonymous: false,
})

/** What an account stores, by format: one query over all of its images. Charged in addition to `view`. */
export const storageView: readonly RuleSet[] = [
  {
    name: 'storage-view',
    by: 'subject',
    mode: 'degrade',
    rules: [
      { limit: 20, window: '1m' },
      { limit: 200, window: '1h' },
    ],
  },
]
