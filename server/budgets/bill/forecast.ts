import { daysIn } from '#format/dates.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { readSpendingDays, type SpendingOfDay } from '../usage-report.ts'
import { daysBefore, monthBounds } from './month.ts'

/** A month's spending at the recent pace, without storage. */
export interface Forecast {
  /** Every day of the month: past days as counted, the others forecast. */
  readonly days: readonly SpendingOfDay[]
  /** The number of full days that the pace is the mean of: 7, fewer on a new site, 0 on its first day. */
  readonly fromDays: number
}

const DAYS = 7

const counted = ['writes', 'reads', 'deletes', 'bytesIn', 'bytesOut', 'nanos'] as const
type Amounts = Record<(typeof counted)[number], number>

/** Returns the past days of the month and, for each remaining day, the mean of the last seven full days. Today is the mean
 *  or what was counted already, whichever is more. */
export async function forecastMonth(db: PrismaClient, today: string): Promise<Forecast> {
  const month = today.slice(0, 7)
  const { first, next } = monthBounds(month)
  const from = daysBefore(today, DAYS)
  const days = await readSpendingDays(db, [from, first].toSorted()[0] ?? first, next)
  const recent = days.filter(({ day }) => day >= from && day < today)
  const fromDays = Math.min(DAYS, await daysSinceFirst(db, today))
  const known = new Map(days.map((each) => [each.day, each]))
  const pace = fromDays > 0 ? sumDays(recent) : sumDays(days.filter(({ day }) => day === today))
  const forecast = daysIn(month).map((day): SpendingOfDay => {
    const was = known.get(day) ?? { day, ...none }
    const ahead = (Date.parse(day) - Date.parse(today)) / 86_400_000
    return ahead < 0 ? was : { day, ...amounts((of) => Math.max(was[of], shareOfDay(pace[of], ahead, fromDays || 1))) }
  })
  return { days: forecast, fromDays }
}

/** Returns the number of full days between the first request to the bucket and `today`. */
async function daysSinceFirst(db: PrismaClient, today: string): Promise<number> {
  const first = await db.spending.findFirst({
    where: { period: 'day', start: { lt: new Date(today) } },
    orderBy: { start: 'asc' },
    select: { start: true },
  })
  return first ? (Date.parse(today) - first.start.getTime()) / 86_400_000 : 0
}

/** Spreads `amount` per `days` over single days in integers and returns the share of the day that is `ahead` days from
 *  today. The shares are differences of one rounded total, so that rounding does not add up. */
function shareOfDay(amount: number, ahead: number, days: number): number {
  const until = (end: number) => (BigInt(amount) * BigInt(end) + BigInt(days) - 1n) / BigInt(days)
  return Number(until(ahead + 1) - until(ahead))
}

export const sumDays = (days: readonly SpendingOfDay[]): Amounts =>
  amounts((of) => days.reduce((sum, day) => sum + day[of], 0))

const amounts = (of: (name: (typeof counted)[number]) => number): Amounts => ({
  writes: of('writes'),
  reads: of('reads'),
  deletes: of('deletes'),
  bytesIn: of('bytesIn'),
  bytesOut: of('bytesOut'),
  nanos: of('nanos'),
})

const none = amounts(() => 0)
