import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { type ImageItem, toItems } from '../image-item.ts'
import { imageColumns } from '../image-row.ts'
import { view } from '../limits.ts'
import { chargeSearch } from './charge-search.ts'
import { encodePlace, placeCursor, placeIn } from './place-cursor.ts'
import { hasNoTrash, listed } from './query.ts'
import { readPage } from './read-page.ts'
import { select } from './selection.ts'

const input = z
  .strictObject({
    ...listed,
    trash: z.boolean().default(false),
    cursor: placeCursor.optional(),
    limit: z.int().min(1).max(100).default(30),
  })
  .refine((list) => !hasNoTrash(list), invalid('galleryTrash'))

/** Returns a page of images, newest first unless said, those in the trash by when they were deleted. `nextCursor` is null on the
 *  last page. */
export const listImages = publicProcedure
  .meta({ limits: view, scope: 'read' })
  .input(input.prefault({}))
  .query(async ({ ctx, input }): Promise<{ items: ImageItem[]; nextCursor: string | null }> => {
    const { cursor, limit, ...asked } = input
    await chargeSearch(ctx, asked)
    const { db } = ctx.app
    const selection = await select(ctx.app, ctx.viewer, asked)
    const after = cursor ? placeIn(selection.name, selection.order, cursor) : null
    const places = await readPage(db, selection, { after, most: limit + 1 })
    const page = places.slice(0, limit)
    const last = page.at(-1)
    const rows = await db.image.findMany({ where: { id: { in: page.map(({ id }) => id) } }, select: imageColumns })
    const byId = new Map(rows.map((row) => [row.id, row]))
    return {
      items: await toItems(
        page.flatMap(({ id }) => byId.get(id) ?? []),
        ctx.viewer,
        ctx.app,
      ),
      nextCursor: places.length > page.length && last ? encodePlace(selection.name, last) : null,
    }
  })
