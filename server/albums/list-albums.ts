import { z } from 'zod'
import { isAdmin, isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import { refuse } from '#server/errors/refuse.ts'
import { view } from '#server/images/limits.ts'
import { searchText } from '#server/images/listing/query.ts'
import { toSearchKey } from '#server/images/listing/words.ts'
import { cursorInput, encodeCursor, type Position } from '#server/trpc/cursor.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { type AlbumItem, toItems } from './album-item.ts'
import { albumColumns } from './album-row.ts'

const input = z.strictObject({
  cursor: cursorInput(z.uuid()).optional(),
  limit: z.int().min(1).max(100).default(30),
  /** Asks for `previousCursor` too. */
  previous: z.boolean().default(false),
  /** `gallery`: the public albums, for everyone where the public gallery is on. */
  scope: z.enum(['mine', 'all', 'gallery']).optional(),
  /** Part of the title, whatever its case and accents. */
  text: searchText.optional(),
  /** An image: only the albums that it is in. */
  image: z.uuid().optional(),
  /** Only the albums of this user. */
  owner: z.uuid().optional(),
})

type Scope = 'mine' | 'all' | 'gallery'

/** A page of a list. */
interface AlbumPage {
  readonly items: AlbumItem[]
  /** Null on the last page. */
  readonly nextCursor: string | null
  /** Where the page before this one begins; null for the first. Missing unless asked for. */
  readonly previousCursor?: string | null
}

/** Returns a page of albums, those changed last first. */
export const listAlbums = publicProcedure
  .meta({ limits: view, scope: 'read' })
  .input(input.prefault({}))
  .query(async ({ ctx, input }): Promise<AlbumPage> => {
    const { db, site } = ctx.app
    const scope = input.scope ?? (ctx.viewer ? 'mine' : 'gallery')
    const text = input.text?.trim()
    const listed: Prisma.AlbumWhereInput = {
      AND: scopeFilter(ctx.viewer, scope, site.read().gallery),
      deletedAt: null,
      ...(text && { searchText: { contains: withoutWildcards(await toSearchKey(db, text)) } }),
      ...(input.owner && { ownerId: input.owner }),
      ...(input.image && { images: { some: { imageId: input.image } } }),
    }
    const rows = await db.album.findMany({
      where: { AND: [listed, input.cursor ? beyond('lt', input.cursor) : {}] },
      orderBy: [{ changedAt: 'desc' }, { id: 'desc' }],
      take: input.limit + 1,
      select: albumColumns,
    })
    const page = rows.slice(0, input.limit)
    const [first, last] = [page[0], page.at(-1)]
    const before =
      input.previous && input.cursor && first
        ? await db.album.findMany({
            where: { AND: [listed, beyond('gt', toPosition(first))] },
            orderBy: [{ changedAt: 'asc' }, { id: 'asc' }],
            skip: input.limit,
            take: 1,
            select: { id: true, changedAt: true },
          })
        : []
    return {
      items: await toItems(page, ctx.viewer, ctx.app),
      nextCursor: rows.length > page.length && last ? encodeCursor(toPosition(last)) : null,
      ...(input.previous && { previousCursor: before[0] ? encodeCursor(toPosition(before[0])) : null }),
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

const toPosition = ({ changedAt, id }: { readonly changedAt: Date; readonly id: string }): Position => ({
  at: changedAt,
  id,
})

/** Albums beyond a position: changed before it (`lt`), or after it. */
const beyond = (side: 'lt' | 'gt', { at, id }: Position): Prisma.AlbumWhereInput => ({
  AND: [{ changedAt: { [`${side}e`]: at } }, { OR: [{ changedAt: { [side]: at } }, { id: { [side]: id } }] }],
})
