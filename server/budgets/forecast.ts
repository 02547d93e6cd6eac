import type { PrismaClient } from '#server/database/database.ts'
import { daysBefore, monthOf } from './month.ts'
import type { Prices } from './prices.ts'
import { daysOf, type SpendingOfDay } from './usage-report.ts'

/** What the month will come to at the pace of late, but for what is stored. */
export interface Forecast {
  readonly nanos: number
  /** Writes and reads. */
  readonly requests: number
  /** In and out. */
  readonly bytes: number
  /** What is stored now, kept for a month. */
  readonly storedNanos: number
  /** The full days that the pace is taken from: 7, fewer on a young site, 0 where there is today alone. */
  readonly fromDays: number
}

interface Now {
  /** `YYYY-MM-DD` */
  readonly day: string
  readonly prices: Prices
  readonly storedBytes: number
}

const DAYS = 7

/** The month so far and, for each of its other days, the mean of the last seven full ones. Today counts as the pace has it
 *  or as it is already, whichever is more. */
export async function forecastOf(db: PrismaClient, { day, prices, storedBytes }: Now): Promise<Forecast> {
  const { first, next, length } = monthOf(day.slice(0, 7))
  const from = daysBefore(day, DAYS)
  const days = await daysOf(db, [from, first].toSorted()[0] ?? first, next)
  const recent = days.filter((each) => each.day >= from && each.day < day)
  const fromDays = recent[0] ? (Date.parse(day) - Date.parse(recent[0].day)) / 86_400_000 : 0
  const left = length - Number(day.slice(8))
  const estimate = (of: (each: SpendingOfDay) => number): number => {
    const today = sum(days.filter((each) => each.day === day).map(of))
    const before = sum(days.filter((each) => each.day >= first && each.day < day).map(of))
    const pace = fromDays > 0 ? sum(recent.map(of)) / fromDays : today
    return Math.round(before + Math.max(today, pace) + pace * left)
  }
  return {
    nanos: estimate(({ nanos }) => nanos),
    requests: estimate(({ writes, reads }) => writes + reads),
    bytes: estimate(({ bytesIn, bytesOut }) => bytesIn + bytesOut),
    storedNanos: Math.ceil((storedBytes / prices.gigabyte) * prices.stored),
    fromDays,
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
