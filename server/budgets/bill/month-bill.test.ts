import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { BudgetScene } from '#testing/budgets/budget-scene.ts'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { readSpendingDays } from '../usage-report.ts'
import type { Bill } from './bill.ts'
import { forecastMonth } from './forecast.ts'
import { monthBounds } from './month.ts'
import { monthBill } from './month-bill.ts'
import { type Prices, published } from './prices.ts'

const GB = 1_000_000_000

let database: Database
let scene: BudgetScene
beforeAll(async () => {
  database = await openEmbeddedDatabase()
  scene = new BudgetScene(database.db)
})
afterAll(() => database.close())
beforeEach(async () => {
  await scene.clear()
  const { db } = database
  await db.storedObject.deleteMany()
  await db.storedDay.deleteMany()
})

const spend = (day: string, reads: number) =>
  database.db.spending.create({ data: { period: 'day', start: new Date(day), reads } })
const keep = (day: string, bytes: number) => database.db.storedDay.create({ data: { day: new Date(day), bytes } })
const store = (bytes: number) =>
  database.db.$executeRaw`UPDATE "SiteStorage" SET "bytes" = ${bytes}::bigint WHERE "id" = 1`

/** One nano per read, 30 nanos per GB and month. */
const prices: Prices = { ...published.other, gigabyte: GB, reads: 1_000_000, stored: 30 }

const ask = async (month: string, today: string, table = prices) => {
  const { db } = database
  const { first, next } = monthBounds(month)
  return monthBill(db, {
    month,
    today,
    prices: table,
    days: await readSpendingDays(db, first, next),
    forecast: today.startsWith(month) ? (await forecastMonth(db, today)).days : null,
  })
}
const lineNanos = (bill: Bill | null | undefined) => bill?.lines.map(({ nanos }) => nanos)

it('covers the days up to today, and at the month’s end all days at the recent pace', async () => {
  await spend('2026-10-31', 1_000)
  await spend('2026-11-01', 10)
  await spend('2026-11-02', 30)
  await store(2 * GB)
  await database.db.storedDay.deleteMany()
  await keep('2026-10-31', 0)
  await keep('2026-11-01', GB)
  await keep('2026-11-02', 3 * GB)
  const bill = await ask('2026-11', '2026-11-03')
  // A nano per GB and day: 1, 3 and 2 GB; then 27 days of 2 GB.
  expect(lineNanos(bill?.soFar)).toEqual([40, 1 + 3 + 2])
  // 1,040 in three days are 346 2/3 a day, for the 28 days from today on.
  expect(lineNanos(bill?.atEnd)).toEqual([40 + 9_707, 6 + 27 * 2])
  expect(bill?.atEnd?.nanos).toBe(9_807)
  expect(bill?.guessed).toBeNull()
})

it('ends where the next month begins', async () => {
  await spend('2026-11-30', 7)
  await spend('2026-12-01', 5)
  await store(GB)
  await database.db.storedDay.deleteMany()
  await keep('2026-10-31', 2 * GB)
  for (let day = 1; day <= 30; day += 1) await keep(`2026-11-${String(day).padStart(2, '0')}`, 2 * GB)
  await keep('2026-12-01', 31 * GB)
  const november = await ask('2026-11', '2026-12-01')
  expect(lineNanos(november?.soFar)).toEqual([7, 60])
  expect(november?.atEnd).toBeNull()
  expect(lineNanos((await ask('2026-12', '2026-12-01'))?.soFar)).toEqual([5, 30])
})

it('reports the bytes assumed for days before counting began', async () => {
  await store(2 * GB)
  await database.db.storedDay.deleteMany()
  await keep('2026-11-21', GB)
  await keep('2026-11-22', 2 * GB)
  const bill = await ask('2026-11', '2026-11-22')
  expect(bill?.guessed).toEqual({ bytes: GB, before: '2026-11-21' })
  expect(lineNanos(bill?.soFar)).toEqual([0, 21 + 2])
  expect((await ask('2026-10', '2026-11-22'))?.guessed).toEqual({ bytes: GB, before: '2026-11-01' })
})

it('is null if nothing has a price', async () => {
  await spend('2026-11-21', 9)
  await store(GB)
  for (const table of [published.disk, published.other]) expect(await ask('2026-11', '2026-11-22', table)).toBeNull()
})
