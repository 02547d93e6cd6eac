import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { cursorInput, encodeCursor } from '#server/trpc/cursor.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { SharePlace } from './insert-share.ts'
import { shareView } from './limits.ts'

/** A share as exports have it, with the hash of its password and without its link, which nobody can make from that. */
export interface ExportedShare {
  /** ISO 8601, like all dates here. */
  readonly createdAt: string
  readonly title: string
  readonly passwordHash: string | null
  readonly showsTitles: boolean
  readonly originals: boolean
  readonly expiresAt: string | null
  readonly maxViews: number | null
  readonly views: number
  readonly limits: {
    readonly requestsPerHour: number | null
    readonly requestsPerDay: number | null
    readonly bytesPerDay: number | null
  }
  /** The ID of the album; null for images. */
  readonly album: string | null
  readonly images: readonly SharePlace[]
}

interface Part {
  /** Where the page begins. */
  readonly after?: { readonly at: Date; readonly id: string } | undefined
  readonly most: number
  /** Shares with these images alone, or of albums; null for all. */
  readonly around: readonly string[] | null
}

/** Returns shares of a user that have not ended, the oldest first, and where to continue. */
export async function readExported(db: PrismaClient, ownerId: string, { after, most, around }: Part) {
  const place: Prisma.ShareImageWhereInput = around === null ? {} : { imageId: { in: [...around] } }
  const isLater = after && { OR: [{ createdAt: { gt: after.at } }, { createdAt: after.at, id: { gt: after.id } }] }
  const rows = await db.share.findMany({
    where: {
      AND: [
        { ownerId, OR: [{ albumId: null, images: { some: place } }, { album: { deletedAt: null } }] },
        { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] },
        isLater ?? {},
      ],
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: most + 1,
    select: {
      ...{ id: true, createdAt: true, title: true, passwordHash: true, showsTitles: true, originals: true },
      ...{ expiresAt: true, maxViews: true, views: true, albumId: true },
      ...{ requestsPerHour: true, requestsPerDay: true, bytesPerDay: true },
      images: { where: place, orderBy: { position: 'asc' }, select: { imageId: true, position: true } },
    },
  })
  const page = rows.slice(0, most)
  const last = page.at(-1)
  return {
    items: page.filter(({ maxViews, views }) => maxViews === null || views < maxViews).map(toExported),
    nextCursor: rows.length > page.length && last ? encodeCursor({ at: last.createdAt, id: last.id }) : null,
  }
}

interface Row extends Omit<ExportedShare, 'createdAt' | 'expiresAt' | 'limits' | 'album' | 'images'> {
  readonly id: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly requestsPerHour: number | null
  readonly requestsPerDay: number | null
  readonly bytesPerDay: bigint | null
  readonly albumId: string | null
  readonly images: readonly { readonly imageId: string; readonly position: number }[]
}

function toExported({
  id: _,
  albumId,
  images,
  requestsPerHour,
  requestsPerDay,
  bytesPerDay,
  ...share
}: Row): ExportedShare {
  return {
    ...share,
    createdAt: share.createdAt.toISOString(),
    expiresAt: share.expiresAt?.toISOString() ?? null,
    limits: { requestsPerHour, requestsPerDay, bytesPerDay: bytesPerDay === null ? null : Number(bytesPerDay) },
    album: albumId,
    images: images.map(({ imageId, position }) => ({ id: imageId, position })),
  }
}

/** Each may have a thousand images. */
const PAGE = 20

/** Returns a page of the viewer's shares for an export: those that have not ended. */
export const exportShares = personalProcedure
  .meta({ limits: shareView, scope: 'read' })
  .input(z.strictObject({ cursor: cursorInput(z.uuid()).optional() }).prefault({}))
  .query(({ ctx, input: { cursor } }) =>
    readExported(ctx.app.db, ctx.viewer.userId, { after: cursor, most: PAGE, around: null }),
  )
