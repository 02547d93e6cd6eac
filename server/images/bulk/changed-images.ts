import type { Transaction } from '#server/database/database.ts'
import type { ImageItem } from '#server/images/image-item.ts'
import { toItems } from '#server/images/image-item.ts'
import { imageColumns } from '#server/images/image-row.ts'
import type { UserContext } from './user-context.ts'

/** Returns the images changed by the transaction as items for the caller. */
export async function changedImages(
  tx: Transaction,
  ids: readonly string[],
  { viewer, app }: UserContext,
): Promise<ReadonlyMap<string, ImageItem>> {
  const rows = await tx.image.findMany({ where: { id: { in: [...ids] } }, select: imageColumns })
  const items = await toItems(rows, viewer, { config: app.config, site: app.site, db: tx })
  return new Map(items.map((item) => [item.id, item]))
}
