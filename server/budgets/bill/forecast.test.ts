import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { BudgetScene } from '#testing/budget-scene.ts'
import { openEmbeddedDatabase } from '#testing/embedded-database.ts'
import { forecastOf, total } from './forecast.ts'

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
  const { days, fromDays } = await forecastOf(database.db, day)
  return { ...total(days), days, fromDays }
}

it('takes the pace of the last seven full days', async () => {
  await spend('2026-10-31', 1_000)
  for (let day = 10; day < 21; day += 1) await spend(`2026-11-${day}`, 70)
  await spend('2026-11-21', 20)
  // 11 days of 70, today as the others, and nine more.
  const all = 11 * 70 + 70 + 9 * 70
  expect(await ask('2026-11-21')).toMatchObject({ nanos: all, reads: all, bytesOut: all, writes: 0, fromDays: 7 })
  await database.db.spending.update({
    where: { period_start: { period: 'day', start: new Date('2026-11-21') } },
    data: { nanos: 100 },
  })
  expect((await ask('2026-11-21')).nanos).toBe(all + 30)
})

it('of a young site takes the days that there are, or today', async () => {
  await spend('2026-11-29', 30)
  expect(await ask('2026-11-29')).toMatchObject({ nanos: 60, fromDays: 0 })
  expect(await ask('2026-11-30')).toMatchObject({ nanos: 60, fromDays: 1 })
  expect(await ask('2026-12-01')).toMatchObject({ fromDays: 2, nanos: 15 * 31 })
})

it('takes the days on which nothing was asked for days too', async () => {
  await spend('2026-10-12', 1_000)
  await spend('2026-11-20', 70)
  expect(await ask('2026-11-21')).toMatchObject({ nanos: 70 + 10 * 10, fromDays: 7 })
  await spend('2026-11-29', 30)
  expect(await ask('2026-11-29')).toMatchObject({ nanos: 70 + 30, fromDays: 7 })
})

it('has every day of the month: what was, and whole amounts that come to the pace', async () => {
  await spend('2026-11-23', 2)
  const { days } = await ask('2026-11-26')
  expect(days.map(({ day }) => day)).toEqual(
    Array.from({ length: 30 }, (_, at) => `2026-11-${String(at + 1).padStart(2, '0')}`),
  )
  // Two thirds a day.
  expect(days.slice(21).map(({ reads }) => reads)).toEqual([0, 2, 0, 0, 1, 1, 0, 1, 1])
})
