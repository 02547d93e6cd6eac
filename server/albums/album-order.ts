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
  /** Where the page before this one begins; null for the first. Missing unless asked for. */
  readonly previousCursor?: string | null
}

interface Wanted {
  readonly cursor?: Position | undefined
  readonly limit: number
  /** Asks for `previousCursor` too. */
  readonly previous?: boolean
}

/** Returns a page of an album's images in its own order, those that the viewer may see. The album must be readable. Throws
 *  CONFLICT for a cursor of an order that the album no longer has. */
export async function listInOrder(
  db: Pick<PrismaClient, '$queryRaw'>,
  album: { readonly id: string; readonly order: string },
  viewer: Viewer | null,
  { cursor, limit, previous = false }: Wanted,
): Promise<Page> {
  const order = albumOrder.parse(album.order)
  if (cursor && cursor.order !== order) throw refuse('album-changed')
  const read = async (part: Part) => found.parse(await db.$queryRaw(orderQuery({ ...album, order }, viewer, part)))
  const positionOf = ({ id, rank, createdAt }: (typeof images)[number]): Position => {
    return { order, at: order === 'manual' ? rank : createdAt.toISOString(), id }
  }
  const images = await read({ cursor, limit: limit + 1 })
  const page = images.slice(0, limit)
  const [first, last] = [page[0], page.at(-1)]
  const before =
    previous && cursor && first ? await read({ cursor: positionOf(first), limit: limit + 1, isBackwards: true }) : []
  return {
    images: page,
    nextCursor: images.length > limit && last ? encode(positionOf(last)) : null,
    ...(previous && { previousCursor: before[limit] ? encode(positionOf(before[limit])) : null }),
  }
}

interface Part {
  readonly cursor?: Position | undefined
  readonly limit: number
  /** Whether the images before the cursor are read, the nearest first. */
  readonly isBackwards?: boolean
}

/** The query for `limit` of an album's images in an order. */
export function orderQuery(
  album: { readonly id: string; readonly order: AlbumOrder },
  viewer: Viewer | null,
  { cursor, limit, isBackwards = false }: Part,
): Prisma.Sql {
  const { columns, direction } = orders[album.order]
  const isDescending = (direction === 'DESC') !== isBackwards
  const beyond = Prisma.raw(isDescending ? '<' : '>')
  const at = cursor && (cursor.order === 'manual' ? cursor.at : new Date(cursor.at))
  const after = cursor
    ? Prisma.sql`AND (${Prisma.join([...columns])}) ${beyond} (${at}, ${cursor.id}::uuid)`
    : Prisma.empty
  const by = Prisma.join(columns.map((column) => Prisma.sql`${column} ${Prisma.raw(isDescending ? 'DESC' : 'ASC')}`))
  return Prisma.sql`
    SELECT "image"."id"::text, "place"."rank", "image"."createdAt", "image"."size"
    FROM "AlbumImage" AS "place" JOIN "Image" AS "image" ON "image"."id" = "place"."imageId"
    WHERE "place"."albumId" = ${album.id}::uuid AND ${seenInAlbum(viewer)} ${after}
    ORDER BY ${by} LIMIT ${limit}::int`
}

const byRank = [Prisma.sql`"place"."rank"`, Prisma.sql`"place"."imageId"`]
const byUpload = [Prisma.sql`"image"."createdAt"`, Prisma.sql`"image"."id"`]

const orders = {
  manual: { columns: byRank, direction: 'ASC' },
  newest: { columns: byUpload, direction: 'DESC' },
  oldest: { columns: byUpload, direction: 'ASC' },
} as const satisfies Record<AlbumOrder, { readonly columns: readonly Prisma.Sql[]; readonly direction: 'ASC' | 'DESC' }>
