import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { orLastKnown } from '#server/trpc/last-answers.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { view } from '../limits.ts'
import { chargeSearch } from './charge-search.ts'
import { counting } from './limits.ts'
import { all, found, from } from './parts.ts'
import { hasNoTrash, listed } from './query.ts'
import { walk } from './read-page.ts'
import { estimateWalk } from './sample.ts'
import { type Selection, select } from './selection.ts'

/** Counts are exact up to this. */
const EXACT = 1_000

/** Finding an image by the index of terms costs a quarter of reading one in order, and only so many of those found are read. */
const PER_MATCH = 0.25

const input = z
  .strictObject({ ...listed, trash: z.boolean().default(false) })
  .refine((list) => !hasNoTrash(list), invalid('galleryTrash'))
const counts = z.tuple([z.object({ count: z.int() })])

/** Returns how many images `image.list` has for the same input: exactly up to 1,000, and beyond that 1,000 and `more`. */
export const countImages = publicProcedure
  .meta({ limits: [...view, ...counting], scope: 'read', cheaperAnswer: 'the count as it was last told' })
  .input(input.prefault({}))
  .query(
    orLastKnown(async ({ ctx, input }) => {
      await chargeSearch(ctx, input)
      const { db } = ctx.app
      const selection = await select(ctx.app, ctx.viewer, input)
      const run = async (query: Prisma.Sql) =>
        counts.parse(await db.$queryRaw`SELECT count(*)::int AS "count" FROM (${query}) AS "found"`)[0].count
      const most = EXACT + 1
      const { start } = selection
      const length = selection.isReadInOrder
        ? null
        : await estimateWalk(db, selection, { start, most, perMatch: PER_MATCH })
      const walked = length === null ? 0 : await run(walk(selection, { start, length, most }))
      const count = walked > EXACT ? walked : await run(someFound(selection, most))
      return { count: Math.min(count, EXACT), more: count > EXACT }
    }),
  )

const someFound = (selection: Selection, most: number): Prisma.Sql => Prisma.sql`
  SELECT FROM ${from(selection)} WHERE ${all([...found(selection), ...selection.start])} LIMIT ${most}`
