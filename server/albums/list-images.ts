import { z } from 'zod'
import { toItems } from '#server/images/image-item.ts'
import { imageColumns } from '#server/images/image-row.ts'
import { view } from '#server/images/limits.ts'
import type { ImagePage } from '#server/images/listing/list-images.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { albumCursor, listInOrder } from './album-order.ts'
import { findReadable } from './find-album.ts'

const input = z.strictObject({
  id: z.uuid(),
  cursor: albumCursor.optional(),
  limit: z.int().min(1).max(100).default(30),
  /** Asks for `previousCursor` too. */
  previous: z.boolean().default(false),
})

/** Returns a page of an album's images in the album's own order. */
export const listImages = publicProcedure
  .meta({ limits: view, scope: 'read' })
  .input(input)
  .query(async ({ ctx, input }): Promise<ImagePage> => {
    const { db } = ctx.app
    const album = await findReadable(db, ctx.viewer, { id: input.id })
    const { images, ...cursors } = await listInOrder(db, album, ctx.viewer, input)
    const ids = images.map(({ id }) => id)
    const rows = await db.image.findMany({ where: { id: { in: ids } }, select: imageColumns })
    const byId = new Map(rows.map((row) => [row.id, row]))
    const inOrder = ids.flatMap((id) => byId.get(id) ?? [])
    return { items: await toItems(inOrder, ctx.viewer, ctx.app), ...cursors }
  })
