import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { isAfter, orderBy, type Place } from './order.ts'
import { all, found, from, walked } from './parts.ts'
import { estimateWalk } from './sample.ts'
import type { Selection } from './selection.ts'

/** Reading an image that matches and sorting it costs as much as reading this many in order. */
const PER_MATCH = 2

const rows = z.array(z.object({ id: z.uuid(), key: z.union([z.date(), z.number(), z.string()]) }))

/** Returns the next images of a selection, at most `most`: read in order until there are enough, or all that match, sorted, whichever
 *  is less. Takes milliseconds, except for many that are all at the far end: a tenth of a second for a hundred thousand. */
export async function readPage(
  db: Pick<PrismaClient, '$queryRaw'>,
  selection: Selection,
  { after, most }: { readonly after: Place | null; readonly most: number },
): Promise<Place[]> {
  const { order, conditions } = selection
  const start = [...selection.start, ...(after ? [isAfter(order, after)] : [])]
  const read = async (query: Prisma.Sql) => rows.parse(await db.$queryRaw(query)).map(toPlace)
  if (selection.isReadInOrder) return read(inOrder(selection, [...start, ...conditions], most))
  const length = await estimateWalk(db, selection, { start, most, perMatch: PER_MATCH })
  const near = length === null ? [] : await read(walk(selection, { start, length, most }))
  return near.length === most ? near : read(gather(selection, start, most))
}

const inOrder = (selection: Selection, conditions: readonly Prisma.Sql[], most: number): Prisma.Sql => Prisma.sql`
  SELECT "image"."id"::text, ${selection.order.column} AS "key" FROM ${from(selection)}
  WHERE ${all(conditions)} ORDER BY ${orderBy(selection.order)} LIMIT ${most}`

/** Returns the query for images among the next `length` in order. */
export function walk(
  selection: Selection,
  { start, length, most }: { readonly start: readonly Prisma.Sql[]; readonly length: number; readonly most: number },
): Prisma.Sql {
  const { order } = selection
  const { from, conditions } = walked(selection)
  return Prisma.sql`
    SELECT "image"."id"::text, "image"."key" FROM (
      SELECT "image".*, ${order.column} AS "key" FROM ${from}
      WHERE ${all(start)} ORDER BY ${orderBy(order)} LIMIT ${length}) AS "image"
    WHERE ${all(conditions)} ORDER BY ${orderBy(order, '"image"."key"')} LIMIT ${most}`
}

/** `OFFSET 0` keeps the database from walking the order to the end instead. */
const gather = (selection: Selection, start: readonly Prisma.Sql[], most: number): Prisma.Sql => Prisma.sql`
  SELECT "image"."id"::text, "image"."key" FROM (
    SELECT "image"."id", ${selection.order.column} AS "key" FROM ${from(selection)}
    WHERE ${all([...found(selection), ...start])} OFFSET 0) AS "image"
  ORDER BY ${orderBy(selection.order, '"image"."key"')} LIMIT ${most}`

const toPlace = ({ id, key }: z.output<typeof rows>[number]): Place => ({
  id,
  key: key instanceof Date ? key.toISOString() : String(key),
})
