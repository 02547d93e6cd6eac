import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { BudgetScene } from '#testing/budgets/budget-scene.ts'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { forecastMonth, sumDays } from './forecast.ts'

let database: Database
let scene: BudgetScene
beforeAll(async () => {
  database = await openEmbeddedDatabase()
  scene = new BudgetScene(database.db)
})
afterAll(() => database.close())
beforeEach(() => scene.clear())

const spend = (day: string, nanos: number) =>
  database.db.spending.create({ data: { period: 'day', start: new Date(day), nanos, reads: nanos, bytesOut: nanos } })

const ask = async (day: string) => {
  const { days, fromDays } = await forecastMonth(database.db, day)
  return { ...sumDays(days), days, fromDays }
}

it('continues at the mean of the last seven full days', async () => {
  await spend('2026-10-31', 1_000)
  for (let day = 10; day < 21; day += 1) await spend(`2026-11-${day}`, 70)
  await spend('2026-11-21', 20)
  // 11 days of 70, today, and nine more days.
  const all = 11 * 70 + 70 + 9 * 70
  expect(await ask('2026-11-21')).toMatchObject({ nanos: all, reads: all, bytesOut: all, writes: 0, fromDays: 7 })
  await database.db.spending.update({
    where: { period_start: { period: 'day', start: new Date('2026-11-21') } },
    data: { nanos: 100 },
  })
  expect((await ask('2026-11-21')).nanos).toBe(all + 30)
})

it('uses the days available on a new site, or today alone', async () => {
  await spend('2026-11-29', 30)
  expect(await ask('2026-11-29')).toMatchObject({ nanos: 60, fromDays: 0 })
  expect(await ask('2026-11-30')).toMatchObject({ nanos: 60, fromDays: 1 })
  expect(await ask('2026-12-01')).toMatchObject({ fromDays: 2, nanos: 15 * 31 })
})

it('counts days without requests', async () => {
  await spend('2026-10-12', 1_000)
  await spend('2026-11-20', 70)
  expect(await ask('2026-11-21')).toMatchObject({ nanos: 70 + 10 * 10, fromDays: 7 })
  await spend('2026-11-29', 30)
  expect(await ask('2026-11-29')).toMatchObject({ nanos: 70 + 30, fromDays: 7 })
})

it('covers every day of the month: past days as counted, the others in integers that add up', async () => {
  await spend('2026-11-23', 2)
  const { days } = await ask('2026-11-26')
  expect(days.map(({ day }) => day)).toEqual(
    Array.from({ length: 30 }, (_, at) => `2026-11-${String(at + 1).padStart(2, '0')}`),
  )
  // The pace is two thirds per day.
  expect(days.slice(21).map(({ reads }) => reads)).toEqual([0, 2, 0, 0, 1, 1, 0, 1, 1])
})
