import { z } from 'zod'
import { LAST_STEP, SHAPE_DIGITS, WIDEST_SHAPE } from '#format/shapes.ts'
import { invalid } from '#server/errors/invalid.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { orLastKnown } from '#server/trpc/last-answers.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { view } from '../limits.ts'
import { chargeSearch } from './charge-search.ts'
import { timelineView } from './limits.ts'
import { orderBy } from './order.ts'
import { all, found, from } from './parts.ts'
import { encodePlace } from './place-cursor.ts'
import { listed } from './query.ts'
import { type Selection, select } from './selection.ts'

/** The most images of a part: as many as `image.list` returns at once. */
const PART = 100

const input = z.strictObject({
  ...listed,
  sort: z.enum(['newest', 'oldest']).default('newest'),
  /** An IANA time zone, in which the months of uploads begin. A camera's clock has none: what was taken is in the month it showed. */
  timeZone: z.string().max(64).refine(isTimeZone, invalid('timeZone')).default('UTC'),
})

const rows = z.array(
  z.object({ month: z.string(), count: z.int(), shapes: z.string(), lastId: z.uuid(), lastAt: z.date() }),
)

interface Part {
  /** For `image.list` with `limit: count` and otherwise the same input: null for the first part. */
  readonly cursor: string | null
  readonly count: number
  /** See format/shapes.ts. */
  readonly shapes: string
}
interface Month {
  /** For example 2026-03. */
  readonly month: string
  readonly count: number
  readonly parts: readonly Part[]
}

/** Returns the months of a list, in its order, in parts of at most 100 images that never cross a month. */
export const timeline = publicProcedure
  .meta({ limits: [...view, ...timelineView], scope: 'read', cheaperAnswer: 'the months as they were last told' })
  .input(input.prefault({}))
  .query(
    orLastKnown(async ({ ctx, input }): Promise<{ months: readonly Month[]; total: number }> => {
      const { timeZone, ...asked } = input
      await chargeSearch(ctx, asked)
      const selection = await select(ctx.app, ctx.viewer, { ...asked, trash: false })
      const parts = rows.parse(await ctx.app.db.$queryRaw(partsOf(selection, asked.by === 'taken' ? 'UTC' : timeZone)))
      return { months: toMonths(parts, selection.name), total: parts.reduce((sum, { count }) => sum + count, 0) }
    }),
  )

/** Sorted once. Images are sorted by ascending months, as GROUP BY wants them, so that it does not sort them again: each array is
 *  in the order of its month. */
function partsOf(selection: Selection, timeZone: string): Prisma.Sql {
  const { order, start } = selection
  const direction = Prisma.raw(order.direction)
  return Prisma.sql`
    SELECT to_char("month", 'YYYY-MM') AS "month", "last" - "first" AS "count",
      (SELECT string_agg(${shape}, '') FROM unnest("steps"["first" + 1:"last"]) AS "step") AS "shapes",
      "ids"["last"]::text AS "lastId", "dates"["last"] AS "lastAt"
    FROM (
      SELECT "month", count(*)::int AS "total", array_agg("step") AS "steps", array_agg("id") AS "ids", array_agg("at") AS "dates"
      FROM (
        SELECT "image"."id", ${order.column} AS "at", ${step} AS "step",
          date_trunc('month', ${order.column} AT TIME ZONE ${timeZone}) AS "month"
        FROM ${from(selection)} WHERE ${all([...start, ...found(selection)])}
        ORDER BY "month", ${orderBy(order)}) AS "shown"
      GROUP BY "month") AS "months"
    CROSS JOIN LATERAL (
      SELECT "first", least("first" + ${PART}::int, "total") AS "last"
      FROM generate_series(0, "total" - 1, ${PART}::int) AS "first") AS "parts"
    ORDER BY "months"."month" ${direction}, "first"`
}

const step = Prisma.sql`greatest(0, least(${LAST_STEP}::int, round(
  (ln("image"."width"::float8 / "image"."height") / ln(${WIDEST_SHAPE}::float8) + 1) * ${LAST_STEP} / 2)::int))`
const digit = (number: Prisma.Sql) => Prisma.sql`substr(${SHAPE_DIGITS}::text, ${number} + 1, 1)`
const shape = Prisma.sql`${digit(Prisma.sql`"step" / ${SHAPE_DIGITS.length}::int`)}
  || ${digit(Prisma.sql`"step" % ${SHAPE_DIGITS.length}::int`)}`

function toMonths(parts: z.output<typeof rows>, name: string): Month[] {
  const months: { month: string; count: number; parts: Part[] }[] = []
  let cursor: string | null = null
  for (const { month, count, shapes, lastId, lastAt } of parts) {
    if (months.at(-1)?.month !== month) months.push({ month, count: 0, parts: [] })
    const open = months.at(-1)
    if (!open) continue
    open.parts.push({ cursor, count, shapes })
    open.count += count
    cursor = encodePlace(name, { key: lastAt.toISOString(), id: lastId })
  }
  return months
}

/** Names of the IANA database, which the database knows as well; it reads offsets the other way round. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
