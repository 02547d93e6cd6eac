import { z } from 'zod'
import { isAdmin, isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { Listed } from './query.ts'
import type { Reach } from './words.ts'

/* Rights are part of the query, not of the answer: nobody finds, counts or sorts by what they may not read (access.ts). */

export type ListScope = NonNullable<Listed['scope']> | 'album'

export const always = Prisma.sql`TRUE`

/** Returns the scope: the viewer's own unless one is asked for, and none in an album, which has a visibility of its own. Throws if
 *  the viewer may not list it. */
export function chooseScope(viewer: Viewer | null, { scope: asked, query }: Listed, hasGallery: boolean): ListScope {
  if (!asked && query?.album) return 'album'
  const scope = asked ?? defaultScope(viewer)
  if (scope === 'gallery' && hasGallery) return scope
  if (!viewer) throw refuse('signed-out')
  if (scope === 'mine' || (scope === 'all' && isAdmin(viewer))) return scope
  throw scope === 'gallery' ? refuse('no-gallery') : refuse('not-admin')
}

function defaultScope(viewer: Viewer | null): ListScope {
  if (!viewer) return 'gallery'
  return isAdmin(viewer) ? 'all' : 'mine'
}

/** The condition that the viewer may read the row `image`, which is in the scope; null if the scope says so. */
export function mayBeRead(viewer: Viewer | null, scope: ListScope): Prisma.Sql | null {
  if (isSuperadmin(viewer) || scope === 'mine' || scope === 'gallery') return null
  const isHidden = isAdmin(viewer)
    ? Prisma.sql`"image"."trashedAt" IS NOT NULL AND "image"."visibility" <> 'public'`
    : Prisma.sql`"image"."trashedAt" IS NOT NULL`
  return Prisma.sql`("image"."ownerId" = ${viewer?.userId ?? null}::uuid
    OR NOT ("image"."visibility" = 'private' OR (${isHidden})))`
}

/** Whose names of tags, albums and owners a viewer searches: an image's tags are known to all who may read it, the title of an
 *  album to those who may find it in a list, and the names of users and files to admins (`knowsNames`). */
export function reachOf(viewer: Viewer | null, scope: ListScope): Reach {
  const own = Prisma.sql`"ownerId" = ${viewer?.userId ?? null}::uuid`
  const isSeen = isSuperadmin(viewer) ? always : Prisma.sql`(${own} OR "album"."visibility" = 'public')`
  return {
    tags: scope === 'mine' ? own : always,
    albums: Prisma.sql`"album"."deletedAt" IS NULL AND ${scope === 'mine' ? own : isSeen}`,
    owners: scope === 'all',
    filenames: scope === 'mine' || isAdmin(viewer) ? always : Prisma.sql`"image".${own}`,
  }
}

/** Returns the order that an album has by itself. Throws, as for one that does not exist, unless the viewer may see it. */
export async function albumOrder(db: PrismaClient, viewer: Viewer | null, id: string): Promise<Listed['sort']> {
  const select = { ownerId: true, visibility: true, order: true } as const
  const album = await db.album.findFirst({ where: { id, deletedAt: null }, select })
  const maySee = album && (album.visibility !== 'private' || album.ownerId === viewer?.userId || isSuperadmin(viewer))
  if (!maySee) throw refuse('album-not-found')
  return orders.safeParse(album.order).data
}

/** `manual` is none of these: it is by rank. */
const orders = z.enum(['newest', 'oldest'])
