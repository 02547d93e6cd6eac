import { Prisma } from '../../../generated/prisma/client.ts'
import type { Listed } from './query.ts'

/** A column to order images by, then by their IDs. */
export interface Order {
  readonly column: Prisma.Sql
  readonly direction: 'ASC' | 'DESC'
  /** Of the column in the database. */
  readonly type: 'timestamptz' | 'integer' | 'text'
  /** It may tell what not everybody who sees the image in a list may know of it. */
  readonly tells: boolean
  /** It is that of an album. */
  readonly isOfAlbum?: boolean
}

const date = (column: Prisma.Sql, oldest: boolean): Order => ({
  column,
  direction: oldest ? 'ASC' : 'DESC',
  type: 'timestamptz',
  tells: false,
})

export function chooseOrder({ sort, by, trash, query }: Listed): Order {
  if (!sort && query?.album && !trash)
    return { column: Prisma.sql`"in"."rank"`, direction: 'ASC', type: 'text', tells: true, isOfAlbum: true }
  if (sort === 'title') return { column: Prisma.sql`"image"."titleKey"`, direction: 'ASC', type: 'text', tells: true }
  if (sort === 'largest')
    return { column: Prisma.sql`"image"."size"`, direction: 'DESC', type: 'integer', tells: false }
  const oldest = sort === 'oldest'
  if (trash) return date(Prisma.sql`"image"."trashedAt"`, oldest)
  if (by === 'taken') return { ...date(Prisma.sql`"image"."datedAt"`, oldest), tells: true }
  return date(Prisma.sql`"image"."createdAt"`, oldest)
}

export const reverse = (order: Order): Order => ({ ...order, direction: order.direction === 'ASC' ? 'DESC' : 'ASC' })

/** Of the row `image`, which may have the column under another name. */
export const orderBy = ({ column, direction }: Order, name = column.sql): Prisma.Sql =>
  Prisma.raw(`${name} ${direction}, "image"."id" ${direction}`)

/** The last image of a page: what it is ordered by, and its ID. */
export interface Place {
  /** The column as text; ISO 8601 for a time. */
  readonly key: string
  readonly id: string
}

/** The condition that the row `image` comes after a place. */
export function isAfter({ column, direction, type }: Order, { key, id }: Place): Prisma.Sql {
  const beyond = Prisma.raw(direction === 'ASC' ? '>' : '<')
  return Prisma.sql`(${column}, "image"."id") ${beyond} (${key}::text::${Prisma.raw(type)}, ${id}::uuid)`
}
