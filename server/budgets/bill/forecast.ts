import type { PrismaClient } from '#server/database/database.ts'
import { daysOf, type SpendingOfDay } from '../usage-report.ts'
import { daysBefore, daysIn, monthOf } from './month.ts'

/** What a month will come to at the pace of late, but for what is stored. */
export interface Forecast {
  /** Each day of the month: as it was, or as it will be. */
  readonly days: readonly SpendingOfDay[]
  /** The full days that the pace is taken from: 7, fewer on a young site, 0 where there is today alone. */
  readonly fromDays: number
}

const DAYS = 7

const counted = ['writes', 'reads', 'deletes', 'bytesIn', 'bytesOut', 'nanos'] as const
type Amounts = Record<(typeof counted)[number], number>

/** The month so far and, for each of its other days, the mean of the last seven full ones. Today counts as the pace has it
 *  or as it is already, whichever is more. */
export async function forecastOf(db: PrismaClient, today: string): Promise<Forecast> {
  const month = today.slice(0, 7)
  const { first, next } = monthOf(month)
  const from = daysBefore(today, DAYS)
  const days = await daysOf(db, [from, first].toSorted()[0] ?? first, next)
  const recent = days.filter(({ day }) => day >= from && day < today)
  const fromDays = Math.min(DAYS, await daysSinceFirst(db, today))
  const known = new Map(days.map((each) => [each.day, each]))
  const pace = fromDays > 0 ? total(recent) : total(days.filter(({ day }) => day === today))
  const forecast = daysIn(month).map((day): SpendingOfDay => {
    const was = known.get(day) ?? { day, ...none }
    const ahead = (Date.parse(day) - Date.parse(today)) / 86_400_000
    return ahead < 0 ? was : { day, ...amounts((of) => Math.max(was[of], shareOf(pace[of], ahead, fromDays || 1))) }
  })
  return { days: forecast, fromDays }
}

/** How many full days there are before `today` since the first one on which anything was asked for. */
async function daysSinceFirst(db: PrismaClient, today: string): Promise<number> {
  const first = await db.spending.findFirst({
    where: { period: 'day', start: { lt: new Date(today) } },
    orderBy: { start: 'asc' },
    select: { start: true },
  })
  return first ? (Date.parse(today) - first.start.getTime()) / 86_400_000 : 0
}

/** What of a pace of so much in `days` falls on a day from today on: whole, and of all days together rounded up once. */
function shareOf(amount: number, ahead: number, days: number): number {
  const until = (end: number) => (BigInt(amount) * BigInt(end) + BigInt(days) - 1n) / BigInt(days)
  return Number(until(ahead + 1) - until(ahead))
}

/** What days come to. */
export const total = (days: readonly SpendingOfDay[]): Amounts =>
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
