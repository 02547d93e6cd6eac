import { z } from 'zod'
import { subjectOf } from '#server/limits/subject.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { budgetMine } from './limits.ts'
import { monthOf } from './month.ts'

const day = z.object({
  day: z.iso.date(),
  calls: z.number(),
  sent: z.number(),
  writes: z.number(),
  reads: z.number(),
  bytesIn: z.number(),
  bytesOut: z.number(),
})

/** Of one day; what a cache has answered is in `calls` and `sent` alone. */
export type MyDay = Readonly<z.output<typeof day>>

export interface MyUsage {
  /** Today in UTC: `YYYY-MM-DD`. */
  readonly day: string
  /** `YYYY-MM` */
  readonly month: string
  /** Of the month: images asked for, and the bytes that they were. */
  readonly calls: number
  readonly sent: number
  /** Of the month: what the store of images was asked for on one's behalf. */
  readonly bucket: Pick<MyDay, 'writes' | 'reads' | 'bytesIn' | 'bytesOut'>
  /** In order; days without anything are not there. */
  readonly days: readonly MyDay[]
}

/** What somebody has used this month; of a shared account what comes from one's own address. */
export const myUsage = userProcedure.meta({ limits: budgetMine }).query(async ({ ctx }): Promise<MyUsage> => {
  const subject = subjectOf('subject', ctx.caller)
  const today = await ctx.app.budgets.today()
  const { first, next } = monthOf(today.slice(0, 7))
  const rows = await ctx.app.db.$queryRaw`
    SELECT to_char("day", 'YYYY-MM-DD') AS "day", SUM("calls")::float8 AS "calls", SUM("sent")::float8 AS "sent",
      SUM("writes")::float8 AS "writes", SUM("reads")::float8 AS "reads",
      SUM("bytesIn")::float8 AS "bytesIn", SUM("bytesOut")::float8 AS "bytesOut"
    FROM "UsageDay" WHERE "subject" = ${subject} AND "day" >= ${first}::date AND "day" < ${next}::date
    GROUP BY "day" ORDER BY "day"`
  const days = z.array(day).parse(rows)
  const sum = (of: Exclude<keyof MyDay, 'day'>) => days.reduce((total, each) => total + each[of], 0)
  return {
    day: today,
    month: today.slice(0, 7),
    calls: sum('calls'),
    sent: sum('sent'),
    bucket: { writes: sum('writes'), reads: sum('reads'), bytesIn: sum('bytesIn'), bytesOut: sum('bytesOut') },
    days,
  }
})
