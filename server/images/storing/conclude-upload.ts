import type { Transaction } from '#server/database/database.ts'
import { type ImageRow, imageColumns } from '#server/images/image-row.ts'
import { titleOf } from '#server/images/names.ts'
import type { VisibilityWish } from '#server/images/visibility.ts'
import type { StoringParts } from './store-image.ts'
import { wakeImage } from './wake-image.ts'

/** What came behind a file. */
export interface Conclusion {
  readonly wish: VisibilityWish
  /** Cleaned; '' where nobody gave one. */
  readonly filename: string
}

/** An image that was stored before it was known who may see it. */
export interface Unconcluded {
  readonly id: string
  readonly isNew: boolean
}

export type ConcludeOutcome =
  | { readonly outcome: 'stored'; readonly image: ImageRow }
  | { readonly outcome: 'other-visibility' }
  /** It has been purged meanwhile. */
  | { readonly outcome: 'gone' }

/** Says of such an image what `storeImage` left open. */
export async function concludeUpload(
  tx: Transaction,
  { id, isNew }: Unconcluded,
  { wish, filename }: Conclusion,
  onStored: StoringParts['onStored'],
): Promise<ConcludeOutcome> {
  if (!isNew) {
    const found = await tx.image.findUnique({ where: { id }, select: { id: true, visibility: true } })
    if (!found) return { outcome: 'gone' }
    const image = await wakeImage(tx, found, wish)
    return image ? { outcome: 'stored', image } : { outcome: 'other-visibility' }
  }
  const name = filename === '' ? {} : { filename, title: titleOf(filename) }
  const data = { visibility: wish.visibility, ...name }
  const [image] = await tx.image.updateManyAndReturn({ where: { id }, data, select: imageColumns })
  if (!image) return { outcome: 'gone' }
  await onStored?.(tx, image)
  return { outcome: 'stored', image }
}
