import type { Transaction } from '#server/database/database.ts'
import { type ImageRow, imageColumns } from '#server/images/image-row.ts'
import { type Visibility, type VisibilityWish, visibilityChange } from '#server/images/visibility.ts'

/** Takes an image that is uploaded again out of the trash, if it lies there, and lets those see it who are to. Null, and
 *  nothing is changed, where it is not as it must be. */
export async function wakeImage(
  tx: Transaction,
  image: { readonly id: string; readonly visibility: Visibility },
  { visibility, ofKnown }: VisibilityWish,
): Promise<ImageRow | null> {
  if (ofKnown === 'must-be' && image.visibility !== visibility) return null
  const change = ofKnown === 'becomes' ? visibilityChange(image, visibility) : {}
  return tx.image.update({ where: { id: image.id }, data: { trashedAt: null, ...change }, select: imageColumns })
}
