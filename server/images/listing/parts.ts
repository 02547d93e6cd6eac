import { Prisma } from '../../../generated/prisma/client.ts'
import type { Selection } from './selection.ts'
import { indexCondition } from './terms.ts'

/* Parts of the queries that read a selection. */

/** The rows `image`, and in an album the rows `in`. */
export const from = ({ album }: Selection, sample = Prisma.empty): Prisma.Sql =>
  album === null
    ? Prisma.sql`"Image" AS "image" ${sample}`
    : Prisma.sql`"AlbumImage" AS "in" JOIN "Image" AS "image" ${sample}
        ON "image"."id" = "in"."imageId" AND "in"."albumId" = ${album}::uuid`

interface Walked {
  readonly from: Prisma.Sql
  readonly conditions: readonly Prisma.Sql[]
}

/** What to read in order: an index of images has no album, which then becomes a condition. `OFFSET 0` keeps the database from reading
 *  the whole album for it. */
export function walked(selection: Selection, sample = Prisma.empty): Walked {
  const { album, order, conditions } = selection
  if (album === null || order.isOfAlbum) return { from: from(selection, sample), conditions }
  const isIn = Prisma.sql`EXISTS (SELECT FROM "AlbumImage" AS "place"
    WHERE "place"."albumId" = ${album}::uuid AND "place"."imageId" = "image"."id" OFFSET 0)`
  return { from: Prisma.sql`"Image" AS "image" ${sample}`, conditions: [...conditions, isIn] }
}

export const all = (conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  conditions.length === 0 ? Prisma.sql`TRUE` : Prisma.join([...conditions], ' AND ')

/** The conditions, after the one that the index of terms answers. */
export function found({ terms, conditions }: Selection): readonly Prisma.Sql[] {
  const indexed = indexCondition(terms)
  return indexed ? [indexed, ...conditions] : conditions
}
