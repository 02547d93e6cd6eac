import type { Services } from '#server/services.ts'
import type { ShareRow } from './share-row.ts'
import { countShared, findShared, MAX_TOGETHER } from './shared-images.ts'
import { type SharedImage, toShared, zipUrls } from './shared-item.ts'

/** What guests of a share see. */
export interface ShownShare {
  /** The share's own; else that of its album, or of its only image, where titles are shown. '' for none. */
  readonly title: string
  /** The album's, where titles are shown. */
  readonly description: string
  /** How many there are. */
  readonly count: number
  readonly images: readonly SharedImage[]
  /** What to ask for next; null after the last images. */
  readonly next: number | null
  /** Zips of all originals, in parts of up to 100 images; none without originals. */
  readonly zips: readonly string[]
}

/** Returns what a share shows from an image on. */
export async function showShare(
  { db, config: { origin }, sharing: { keys } }: Services,
  share: ShareRow,
  from: number,
): Promise<ShownShare> {
  const site = { origin, keys }
  const [count, rows] = await Promise.all([countShared(db, share), findShared(db, share, from)])
  const { album, showsTitles } = share
  const [only] = count === 1 ? rows : []
  const end = from + rows.length
  return {
    title: share.title || (showsTitles && (album?.title ?? only?.title)) || '',
    description: (showsTitles && album?.description) || '',
    count,
    images: rows.map((row) => toShared(site, share, row)),
    next: rows.length === MAX_TOGETHER && end < count ? end : null,
    zips: zipUrls(site, share, count),
  }
}
