import { MAX_IMAGES } from '#server/images/bulk/ids.ts'
import type { InputRuleSet, RuleSet } from '#server/limits/rule-set.ts'

/** Albums are read at the cost of `view` (server/images/limits.ts), as lists of images are. */

/** Creating albums. A folder of folders that is imported makes some dozens; the day bounds what a script can fill the database with. */
export const albumCreate: readonly RuleSet[] = [
  {
    name: 'album-create',
    by: 'subject',
    rules: [
      { limit: 60, window: '1m' },
      { limit: 500, window: '1d', algorithm: 'sliding-window-counter', samples: 24 },
    ],
  },
]

/** Titles, covers, visibility and places in an album: a row each. Somebody who sorts an album by hand moves one every second. */
export const albumEdit: readonly RuleSet[] = [
  {
    name: 'album-edit',
    by: 'subject',
    rules: [
      { limit: 120, window: '1m', algorithm: 'token-bucket', burst: 200 },
      { limit: 2_000, window: '1h', algorithm: 'token-bucket' },
    ],
  },
]

/** Calls that add, remove or move images, whatever their number. A call with invalid input is charged this alone. */
const albumBulk: RuleSet = { name: 'album-bulk', by: 'subject', rules: [{ limit: 300, window: '1m' }] }

interface Images {
  readonly images: readonly string[]
}

/** Images that are added to albums, removed or moved, each a small row: an archive of 100,000 can be filed in five hours, and a
 *  selection of some thousands at once. */
export const albumImages: readonly InputRuleSet<Images>[] = [
  albumBulk,
  {
    name: 'album-images',
    by: 'subject',
    cost: ({ images }) => images.length,
    rules: [
      { limit: 2_000, window: '1m', algorithm: 'token-bucket', burst: 50 * MAX_IMAGES },
      { limit: 20_000, window: '1h', algorithm: 'token-bucket' },
    ],
  },
]
