import type { Transaction } from '#server/database/database.ts'
import type { ImageItem } from '#server/images/image-item.ts'
import { toItem } from '#server/images/image-item.ts'
import { imageColumns } from '#server/images/image-row.ts'
import type { UserContext } from './user-context.ts'

/** Returns the images changed by the transaction as items for the caller. */
export async function changedImages(
  tx: Transaction,
  ids: readonly string[],
  { viewer, app }: UserContext,
): Promise<ReadonlyMap<string, ImageItem>> {
  const rows = await tx.image.findMany({ where: { id: { in: [...ids] } }, select: imageColumns })
  return new Map(rows.map((row) => [row.id, toItem(row, viewer, app)]))
}
