import { z } from 'zod'
import { isAdmin, type Viewer } from '#server/accounts/viewer.ts'
import { invalid } from '#server/errors/invalid.ts'
import { refuse } from '#server/errors/refuse.ts'
import { encodeCursor, type Position } from '#server/trpc/cursor.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { imageCursor } from './cursor.ts'
import { type ImageItem, toItem } from './image-item.ts'
import { imageColumns } from './image-row.ts'
import { view } from './limits.ts'

const input = z
  .strictObject({
    cursor: imageCursor.optional(),
    limit: z.int().min(1).max(100).default(30),
    scope: z.enum(['mine', 'all', 'gallery']).optional(),
    trash: z.boolean().default(false),
  })
  .refine(({ scope, trash }) => !(scope === 'gallery' && trash), invalid('galleryTrash'))

type Scope = 'mine' | 'all' | 'gallery'

/** Returns a page of images, newest first, those in the trash by when they were deleted. `nextCursor` is null on the last page. */
export const listImages = publicProcedure
  .meta({ limits: view, scope: 'read' })
  .input(input.prefault({}))
  .query(async ({ ctx, input }): Promise<{ items: ImageItem[]; nextCursor: string | null }> => {
    const { db, site } = ctx.app
    const order = input.trash ? 'trashedAt' : 'createdAt'
    const where = scopeFilter(ctx.viewer, input.scope ?? defaultScope(ctx.viewer), site.read().gallery)
    const rows = await db.image.findMany({
      where: {
        AND: [where, { trashedAt: input.trash ? { not: null } : null }, input.cursor ? after(order, input.cursor) : {}],
      },
      orderBy: [{ [order]: 'desc' }, { id: 'desc' }],
      take: input.limit + 1,
      select: imageColumns,
    })
    const page = rows.slice(0, input.limit)
    const last = page.at(-1)
    return {
      items: page.map((row) => toItem(row, ctx.viewer, ctx.app)),
      nextCursor:
        rows.length > page.length && last ? encodeCursor({ at: last[order] ?? last.createdAt, id: last.id }) : null,
    }
  })

function defaultScope(viewer: Viewer | null): Scope {
  if (!viewer) return 'gallery'
  return isAdmin(viewer) ? 'all' : 'mine'
}

/** Returns the filter for a scope. Throws if the viewer may not see it. */
function scopeFilter(viewer: Viewer | null, scope: Scope, hasGallery: boolean): Prisma.ImageWhereInput {
  if (scope === 'gallery' && hasGallery) return { visibility: 'public', trashedAt: null }
  if (!viewer) throw refuse('signed-out')
  if (scope === 'mine') return { ownerId: viewer.userId }
  if (scope === 'all' && isAdmin(viewer)) return {}
  throw scope === 'gallery' ? refuse('no-gallery') : refuse('not-admin')
}

/** The first condition is implied by the second, but is the one that an index scan can start from. */
const after = (order: 'createdAt' | 'trashedAt', { at, id }: Position): Prisma.ImageWhereInput => ({
  AND: [{ [order]: { lte: at } }, { OR: [{ [order]: { lt: at } }, { id: { lt: id } }] }],
})
