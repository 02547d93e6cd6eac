import { z } from 'zod'
import { isAdmin, isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import { refuse } from '#server/errors/refuse.ts'
import { view } from '#server/images/limits.ts'
import { cursorInput, encodeCursor, type Position } from '#server/trpc/cursor.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { type AlbumItem, toItems } from './album-item.ts'
import { albumColumns } from './album-row.ts'

const input = z.strictObject({
  cursor: cursorInput(z.uuid()).optional(),
  limit: z.int().min(1).max(100).default(30),
  /** `gallery`: the public albums, for everyone where the public gallery is on. */
  scope: z.enum(['mine', 'all', 'gallery']).optional(),
  /** Part of the title. */
  text: z.string().max(200).optional(),
  /** An image: only the albums that it is in. */
  image: z.uuid().optional(),
  /** Only the albums of this user. */
  owner: z.uuid().optional(),
})

type Scope = 'mine' | 'all' | 'gallery'

/** Returns a page of albums, those changed last first. `nextCursor` is null on the last page. */
export const listAlbums = publicProcedure
  .meta({ limits: view, scope: 'read' })
  .input(input.prefault({}))
  .query(async ({ ctx, input }): Promise<{ items: AlbumItem[]; nextCursor: string | null }> => {
    const { db, site } = ctx.app
    const scope = input.scope ?? (ctx.viewer ? 'mine' : 'gallery')
    const text = input.text?.trim()
    const rows = await db.album.findMany({
      where: {
        AND: [scopeFilter(ctx.viewer, scope, site.read().gallery), input.cursor ? after(input.cursor) : {}],
        deletedAt: null,
        ...(text && { title: { contains: withoutWildcards(text), mode: 'insensitive' } }),
        ...(input.owner && { ownerId: input.owner }),
        ...(input.image && { images: { some: { imageId: input.image } } }),
      },
      orderBy: [{ changedAt: 'desc' }, { id: 'desc' }],
      take: input.limit + 1,
      select: albumColumns,
    })
    const page = rows.slice(0, input.limit)
    const last = page.at(-1)
    return {
      items: await toItems(page, ctx.viewer, ctx.app),
      nextCursor: rows.length > page.length && last ? encodeCursor({ at: last.changedAt, id: last.id }) : null,
    }
  })

/** Returns the filter for a scope. Throws if the viewer may not see it. An admin's `all` are their own and the public ones. */
function scopeFilter(viewer: Viewer | null, scope: Scope, hasGallery: boolean): Prisma.AlbumWhereInput {
  if (scope === 'gallery' && hasGallery) return { visibility: 'public' }
  if (!viewer) throw refuse('signed-out')
  if (scope === 'mine') return { ownerId: viewer.userId }
  if (scope === 'all' && isSuperadmin(viewer)) return {}
  if (scope === 'all' && isAdmin(viewer)) return { OR: [{ ownerId: viewer.userId }, { visibility: 'public' }] }
  throw scope === 'gallery' ? refuse('no-gallery') : refuse('not-admin')
}

/** Prisma leaves the wildcards of LIKE in a text. */
const withoutWildcards = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

const after = ({ at, id }: Position): Prisma.AlbumWhereInput => ({
  AND: [{ changedAt: { lte: at } }, { OR: [{ changedAt: { lt: at } }, { id: { lt: id } }] }],
})
