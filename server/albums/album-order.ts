import { z } from 'zod'
import type { Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { invalid } from '#server/errors/invalid.ts'
import { refuse } from '#server/errors/refuse.ts'
import { instant } from '#server/trpc/cursor.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { seenInAlbum } from './album-facts.ts'
import { type AlbumOrder, albumOrder } from './album-text.ts'
import { isRank } from './rank.ts'

/** The last image of a page, in the order that the album had: by rank, or by the time of the upload. */
interface Position {
  readonly order: AlbumOrder
  readonly at: string
  readonly id: string
}

const position = z
  .tuple([albumOrder, z.string(), z.uuid()])
  .refine(([order, at]) => (order === 'manual' ? isRank(at) : instant.safeParse(at).success))

/** The input for a cursor, which is opaque to clients. */
export const albumCursor = z
  .string()
  .max(400)
  .transform((text, ctx): Position => {
    const { success, data } = position.safeParse(Buffer.from(text, 'base64url').toString().split(' '))
    if (success) return { order: data[0], at: data[1], id: data[2] }
    ctx.addIssue(invalid('cursor'))
    return z.NEVER
  })

const encode = ({ order, at, id }: Position): string => Buffer.from(`${order} ${at} ${id}`).toString('base64url')

const found = z.array(z.object({ id: z.string(), rank: z.string(), createdAt: z.date(), size: z.int() }))

interface Page {
  /** The images in order. */
  readonly images: readonly { readonly id: string; readonly size: number }[]
  readonly nextCursor: string | null
}

/** Returns a page of an album's images in its own order, those that the viewer may see. The album must be readable. Throws
 *  CONFLICT for a cursor of an order that the album no longer has. */
export async function listInOrder(
  db: Pick<PrismaClient, '$queryRaw'>,
  album: { readonly id: string; readonly order: string },
  viewer: Viewer | null,
  { cursor, limit }: { readonly cursor?: Position | undefined; readonly limit: number },
): Promise<Page> {
  const order = albumOrder.parse(album.order)
  if (cursor && cursor.order !== order) throw refuse('album-changed')
  const rows = await db.$queryRaw(orderQuery({ ...album, order }, viewer, { cursor, limit: limit + 1 }))
  const images = found.parse(rows)
  const page = images.slice(0, limit)
  const last = page.at(-1)
  const at = order === 'manual' ? last?.rank : last?.createdAt.toISOString()
  return {
    images: page,
    nextCursor: images.length > limit && last && at !== undefined ? encode({ order, at, id: last.id }) : null,
  }
}

/** The query for `limit` of an album's images in an order. */
export function orderQuery(
  album: { readonly id: string; readonly order: AlbumOrder },
  viewer: Viewer | null,
  { cursor, limit }: { readonly cursor?: Position | undefined; readonly limit: number },
): Prisma.Sql {
  const { after, by } = clauses(album.order, cursor)
  return Prisma.sql`
    SELECT "image"."id"::text, "place"."rank", "image"."createdAt", "image"."size"
    FROM "AlbumImage" AS "place" JOIN "Image" AS "image" ON "image"."id" = "place"."imageId"
    WHERE "place"."albumId" = ${album.id}::uuid AND ${seenInAlbum(viewer)} ${after}
    ORDER BY ${by} LIMIT ${limit}::int`
}

function clauses(order: AlbumOrder, cursor: Position | undefined): { after: Prisma.Sql; by: Prisma.Sql } {
  if (order === 'manual') {
    const after = cursor
      ? Prisma.sql`AND ("place"."rank", "place"."imageId") > (${cursor.at}, ${cursor.id}::uuid)`
      : Prisma.empty
    return { after, by: Prisma.sql`"place"."rank", "place"."imageId"` }
  }
  const isNewest = order === 'newest'
  const beyond = isNewest ? Prisma.sql`<` : Prisma.sql`>`
  const after = cursor
    ? Prisma.sql`AND ("image"."createdAt", "image"."id") ${beyond} (${new Date(cursor.at)}, ${cursor.id}::uuid)`
    : Prisma.empty
  const by = isNewest
    ? Prisma.sql`"image"."createdAt" DESC, "image"."id" DESC`
    : Prisma.sql`"image"."createdAt", "image"."id"`
  return { after, by }
}
