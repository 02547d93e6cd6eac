import type { PrismaClient } from '#server/database/database.ts'
import type { SpendingOfDay } from '../usage-report.ts'
import { type Bill, computeBill } from './bill.ts'
import { monthBounds } from './month.ts'
import type { Prices } from './prices.ts'
import { readStoredDays } from './stored-days.ts'

/** What the provider will charge for a month at the present prices. */
export interface MonthBill {
  /** Up to and including today; for a past month, all of it. */
  readonly soFar: Bill
  /** Null for a past month. */
  readonly atEnd: Bill | null
  /** Storage was not counted before the day `before` (`YYYY-MM-DD`); those days are billed as `bytes` each. Null if every day
   *  was counted. */
  readonly guessed: { readonly bytes: number; readonly before: string } | null
}

interface Month {
  /** `YYYY-MM` */
  readonly month: string
  readonly today: string
  readonly prices: Prices
  /** Days without spending may be missing. */
  readonly days: readonly SpendingOfDay[]
  /** Every day of the month; null for a past month. */
  readonly forecast: readonly SpendingOfDay[] | null
}

/** Returns a month's bill so far and at its end, assuming that storage stays as it is; null if nothing has a price. */
export async function monthBill(
  db: PrismaClient,
  { month, today, prices, days, forecast }: Month,
): Promise<MonthBill | null> {
  const { first, next, length } = monthBounds(month)
  const stored = await readStoredDays(db, first, next)
  const bill = (spending: readonly SpendingOfDay[], until: typeof stored) => {
    const known = new Map(spending.map((each) => [each.day, each]))
    return computeBill(
      prices,
      until.map(({ day, bytes }) => ({ ...none, ...known.get(day), stored: bytes })),
      length,
    )
  }
  const soFar = bill(
    days,
    stored.filter(({ day }) => day <= today),
  )
  if (soFar.lines.length === 0) return null
  const guessed = stored.findLast(({ bytes, isKnown }) => !isKnown && bytes > 0)
  return {
    soFar,
    atEnd: forecast && bill(forecast, stored),
    guessed: guessed ? { bytes: guessed.bytes, before: stored.find(({ isKnown }) => isKnown)?.day ?? next } : null,
  }
}

const none = { writes: 0, reads: 0, deletes: 0, bytesIn: 0, bytesOut: 0 }
