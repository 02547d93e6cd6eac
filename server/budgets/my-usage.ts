import { z } from 'zod'
import { subjectOf } from '#server/limits/subject.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { monthBounds } from './bill/month.ts'
import { budgetMine } from './limits.ts'

const day = z.object({ day: z.iso.date(), calls: z.number(), sent: z.number() })

/** The image requests of a day and the bytes sent for them. */
export type MyDay = Readonly<z.output<typeof day>>

export interface MyUsage {
  /** Today in UTC: `YYYY-MM-DD`. */
  readonly day: string
  /** `YYYY-MM` */
  readonly month: string
  /** Image requests in the month, and the bytes sent for them. */
  readonly calls: number
  readonly sent: number
  /** Images uploaded in the month that still exist, and the bytes of their originals. */
  readonly added: { readonly images: number; readonly bytes: number }
  /** In order, without the days that had no request. */
  readonly days: readonly MyDay[]
}

/** Returns the viewer's usage of this month; in a shared account, `calls` and `sent` are those of the caller's address. Never
 *  includes requests to the store: they would reveal to an uploader whether another user has the same file. */
export const myUsage = userProcedure.meta({ limits: budgetMine }).query(async ({ ctx }): Promise<MyUsage> => {
  const { app, viewer, caller } = ctx
  const today = await app.budgets.today()
  const { first, next } = monthBounds(today.slice(0, 7))
  const rows = await app.db.$queryRaw`
    SELECT to_char("day", 'YYYY-MM-DD') AS "day", SUM("calls")::float8 AS "calls", SUM("sent")::float8 AS "sent"
    FROM "UsageDay" WHERE "subject" = ${subjectOf('subject', caller)} AND "day" >= ${first}::date AND "day" < ${next}::date
    GROUP BY "day" HAVING SUM("calls") > 0 ORDER BY "day"`
  const days = z.array(day).parse(rows)
  const { _count: images, _sum: sum } = await app.db.image.aggregate({
    where: { ownerId: viewer.userId, createdAt: { gte: new Date(first), lt: new Date(next) } },
    _count: true,
    _sum: { size: true },
  })
  const total = (of: 'calls' | 'sent') => days.reduce((all, each) => all + each[of], 0)
  return {
    day: today,
    month: today.slice(0, 7),
    calls: total('calls'),
    sent: total('sent'),
    added: { images, bytes: sum.size ?? 0 },
    days,
  }
})
