import type { PrismaClient } from '#server/database/database.ts'
import type { SpendingOfDay } from '../usage-report.ts'
import { type Bill, billOf } from './bill.ts'
import { monthOf } from './month.ts'
import type { Prices } from './prices.ts'
import { readStoredDays } from './stored-days.ts'

/** What the provider will ask for, by the prices that hold now. */
export interface MonthBill {
  /** Up to today, and with it; of a month that is over, the whole of it. */
  readonly soFar: Bill
  /** Null for a month that is over. */
  readonly atEnd: Bill | null
  /** How many bytes the days count with of which nobody has counted what was stored, and before which day (`YYYY-MM-DD`) they
   *  are; null where there are none. */
  readonly guessed: { readonly bytes: number; readonly before: string } | null
}

interface Month {
  /** `YYYY-MM` */
  readonly month: string
  readonly today: string
  readonly prices: Prices
  /** What was spent on each day; days without anything may be missing. */
  readonly days: readonly SpendingOfDay[]
  /** Every day of the month, as far as it is forecast. */
  readonly forecast: readonly SpendingOfDay[] | null
}

/** The bill of a month, and what it will be at its end if as much is stored until then as now; null where nothing has a
 *  price. */
export async function monthBill(
  db: PrismaClient,
  { month, today, prices, days, forecast }: Month,
): Promise<MonthBill | null> {
  const { first, next, length } = monthOf(month)
  const stored = await readStoredDays(db, first, next)
  const bill = (spending: readonly SpendingOfDay[], until: typeof stored) => {
    const known = new Map(spending.map((each) => [each.day, each]))
    return billOf(
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
