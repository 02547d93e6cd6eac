import { z } from 'zod'
import { userProcedure } from '#server/trpc/init.ts'
import { findEditable } from './find-image.ts'
import { view } from './limits.ts'

const input = z.strictObject({ id: z.uuid() })

const day = z.object({ day: z.iso.date(), reads: z.number(), sent: z.number(), isExact: z.boolean() })

/** What was read of an image on a day in UTC: the answers that sent bytes of it, and those bytes. */
export type ImageUsageDay = Readonly<z.output<typeof day>>

/** As many as are kept (server/budgets/leases/image-usage-rows.ts). */
const DAYS = 30

/** Returns the reads of the last 30 days, today included, for whoever may edit the image. They are counted for this image alone,
 *  never for others with the same bytes. A day is not exact if so many images were read that some are not listed individually. */
export const imageUsage = userProcedure
  .meta({ limits: view, scope: 'read' })
  .input(input)
  .query(async ({ ctx, input }): Promise<{ days: ImageUsageDay[]; reads: number; sent: number; isExact: boolean }> => {
    const { db, budgets } = ctx.app
    const { id } = await findEditable(db, ctx.viewer, input.id)
    const today = await budgets.today()
    const rows = await db.$queryRaw`
      SELECT to_char("at", 'YYYY-MM-DD') AS "day", COALESCE("reads", 0)::float8 AS "reads", COALESCE("sent", 0)::float8 AS "sent",
        NOT EXISTS (SELECT FROM "ImageUsageDay" WHERE "day" = "at"::date AND "image" = 'others') AS "isExact"
      FROM generate_series(${today}::date - ${DAYS - 1}::int, ${today}::date, interval '1 day') AS "days" ("at")
      LEFT JOIN "ImageUsageDay" ON "day" = "at"::date AND "image" = ${id}
      ORDER BY "at"`
    const days = z.array(day).parse(rows)
    const total = (of: 'reads' | 'sent') => days.reduce((sum, each) => sum + each[of], 0)
    return { days, reads: total('reads'), sent: total('sent'), isExact: days.every(({ isExact }) => isExact) }
  })
