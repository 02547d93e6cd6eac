import type { Viewer } from '#server/accounts/viewer.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { formats } from '../format.ts'
import type { ImageQuery, Listed } from './query.ts'

const MiB = 1024 ** 2

/* As the function image_terms has them. */
const shapes = {
  landscape: Prisma.sql`"image"."width" * 10 > "image"."height" * 11`,
  portrait: Prisma.sql`"image"."height" * 10 > "image"."width" * 11`,
  square: Prisma.sql`("image"."width" * 10 <= "image"."height" * 11 AND "image"."height" * 10 <= "image"."width" * 11)`,
} as const
const sizes = {
  small: Prisma.sql`"image"."size" < ${MiB}`,
  medium: Prisma.sql`("image"."size" >= ${MiB} AND "image"."size" < ${10 * MiB})`,
  large: Prisma.sql`"image"."size" >= ${10 * MiB}`,
} as const

/** Returns the conditions on the row `image` that the fields of a query make, apart from its dates and from those that `startOf`
 *  makes. */
export function fieldConditions(viewer: Viewer | null, query: ImageQuery): Prisma.Sql[] {
  const { type, visibility, shape, size, favourite, animated } = query
  const isFavourite = Prisma.sql`EXISTS (SELECT FROM "Favourite" AS "mark"
    WHERE "mark"."imageId" = "image"."id" AND "mark"."userId" = ${viewer?.userId ?? null}::uuid)`
  const isAnimated = Prisma.sql`EXISTS (SELECT FROM "StoredObject" AS "object"
    WHERE "object"."sha256" = "image"."sha256" AND "object"."frames" > 1)`
  return [
    ...(type ? [Prisma.sql`"image"."mime" = ${formats[type].mime}`] : []),
    ...(visibility ? [Prisma.sql`"image"."visibility" = ${visibility}::"Visibility"`] : []),
    ...(shape ? [shapes[shape]] : []),
    ...(size ? [sizes[size]] : []),
    ...(favourite === undefined ? [] : [favourite ? isFavourite : Prisma.sql`NOT ${isFavourite}`]),
    ...(animated === undefined ? [] : [animated ? isAnimated : Prisma.sql`NOT ${isAnimated}`]),
  ]
}

export function dateConditions({ from, to }: ImageQuery, by: Listed['by']): Prisma.Sql[] {
  const date = Prisma.raw(by === 'taken' ? '"image"."datedAt"' : '"image"."createdAt"')
  return [
    ...(from ? [Prisma.sql`${date} >= ${new Date(from)}`] : []),
    ...(to ? [Prisma.sql`${date} < ${endOf(to)}`] : []),
  ]
}

const DAY_MS = 86_400_000

/** A day ends when the next begins. */
const endOf = (to: string): Date => (/^\d{4}-\d\d-\d\d$/.test(to) ? new Date(Date.parse(to) + DAY_MS) : new Date(to))
