import { z } from 'zod'
import { subjectOf } from '#server/limits/subject.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { monthOf } from './bill/month.ts'
import { budgetMine } from './limits.ts'

const day = z.object({ day: z.iso.date(), calls: z.number(), sent: z.number() })

/** Images asked for on one day, and the bytes that they were. */
export type MyDay = Readonly<z.output<typeof day>>

export interface MyUsage {
  /** Today in UTC: `YYYY-MM-DD`. */
  readonly day: string
  /** `YYYY-MM` */
  readonly month: string
  /** Of the month: images asked for, and the bytes that they were. */
  readonly calls: number
  readonly sent: number
  /** Images that came to the account in the month and are still there, and their own bytes. */
  readonly added: { readonly images: number; readonly bytes: number }
  /** In order; days without anything are not there. */
  readonly days: readonly MyDay[]
}

/** What somebody has used this month; what was sent, of a shared account, to one's own address. Nothing of what that asked of
 *  the store: whoever uploads would learn by it whether somebody else has the same file. */
export const myUsage = userProcedure.meta({ limits: budgetMine }).query(async ({ ctx }): Promise<MyUsage> => {
  const { app, viewer, caller } = ctx
  const today = await app.budgets.today()
  const { first, next } = monthOf(today.slice(0, 7))
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
