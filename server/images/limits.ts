import type { RuleSet } from '#server/limits/rule-set.ts'

/**
 * Thumbnails, page views, lists and details. A gallery page is a list and 30 thumbnails: ten pages a minute are 310
 * calls, and a quick scroll through five of them asks for 155 in a second or two. Twice that passes; a script that reads
 * an archive through the thumbnails meets the hour.
 */
export const view: readonly RuleSet[] = [
  {
    name: 'view',
    by: 'subject',
    rules: [
      { limit: 300, window: '1s' },
      { limit: 1_200, window: '1m' },
      { limit: 15_000, window: '1h' },
    ],
  },
]

/**
 * Originals: the calls that cost bandwidth. Saving an image from its page takes two permits, the link and the bytes, so
 * that a person saves ten in a row at once and fifty a minute.
 */
export const download: readonly RuleSet[] = [
  {
    name: 'download',
    by: 'subject',
    rules: [
      { limit: 20, window: '1s' },
      { limit: 100, window: '1m' },
      { limit: 1_000, window: '1h' },
      { limit: 5_000, window: '1d' },
    ],
  },
]

/** A dropped folder of sixty photographs goes up in one minute. At 25 MB each the day is 25 GB at the very worst. */
export const upload: readonly RuleSet[] = [
  {
    name: 'upload',
    by: 'subject',
    rules: [
      { limit: 20, window: '1s' },
      { limit: 60, window: '1m' },
      { limit: 300, window: '1h' },
      { limit: 1_000, window: '1d' },
    ],
  },
]

/** Titles and visibility: a row each. */
export const edit: readonly RuleSet[] = [
  {
    name: 'edit',
    by: 'subject',
    rules: [
      { limit: 60, window: '1m' },
      { limit: 600, window: '1h' },
    ],
  },
]

/**
 * Into the trash, out of it and beyond: twenty selected images at once, and one a second for an album; a stolen session
 * empties no archive unseen.
 */
export const remove: readonly RuleSet[] = [
  {
    name: 'delete',
    by: 'subject',
    rules: [
      { limit: 20, window: '1s' },
      { limit: 60, window: '1m' },
      { limit: 600, window: '1h' },
      { limit: 2_000, window: '1d' },
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
