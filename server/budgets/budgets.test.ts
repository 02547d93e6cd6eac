import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { awayFromMidnight } from '#testing/away-from-midnight.ts'
import { BudgetScene } from '#testing/budgets/budget-scene.ts'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { published } from './bill/prices.ts'
import type { BudgetEvent } from './budget-events.ts'
import { type Budgets, openBudgets } from './budgets.ts'

const HOUR_MS = 60 * 60_000

let database: Database
let scene: BudgetScene
beforeAll(async () => {
  database = await openEmbeddedDatabase()
  scene = new BudgetScene(database.db)
})
afterAll(() => database.close())
afterEach(() => {
  vi.useRealTimers()
})
beforeEach(async () => {
  await awayFromMidnight(5_000)
  await scene.clear()
  await database.db.storedObject.deleteMany()
  await database.db.storedObject.create({ data: { sha256: 'a', size: 1_073_741_824 } })
  // Without rows, the object counts as stored for the whole month.
  await database.db.storedDay.deleteMany()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})

const logged: object[] = []
const log = { warn: () => undefined, error: (details: object) => void logged.push(details) }
/** Returns the events that an idle process announces in its first hour. */
async function eventsOfIdleHour(): Promise<readonly BudgetEvent[]> {
  const events: BudgetEvent[] = []
  const budgets: Budgets = openBudgets({ db: database.db, prices: published.s3, log, cacheFigures: () => null })
  budgets.notifyWith(async (_tx, event) => void events.push(event))
  vi.advanceTimersByTime(HOUR_MS)
  await budgets.close()
  return events
}

it('announces once, without any request, a budget that storage alone uses up', async () => {
  // A month costs 23,000,000.
  await scene.budget('month', 'money', 25_000_000)
  await scene.budget('day', 'money', 500_000)
  await scene.budget('day', 'reads', 1)
  expect(await eventsOfIdleHour()).toMatchObject([
    { period: 'day', unit: 'money', state: 'spent' },
    { period: 'month', unit: 'money', state: 'near', used: 23_000_000 },
  ])
  expect(await eventsOfIdleHour()).toEqual([])
  expect(logged).toEqual([])
})

it('shows a full store as spent from the first refusal until there is room, on later days too', async () => {
  const MIB = 1024 * 1024
  await scene.budget('standing', 'stored', 1025 * MIB)
  const budgets = openBudgets({ db: database.db, prices: published.s3, log, cacheFigures: () => null })
  budgets.notifyWith(async () => undefined)
  const stateNow = async () => (await budgets.read()).items.map(({ state }) => state)
  const upload = (sha256: string, size: number) =>
    database.db.$transaction(async (tx) => {
      await tx.storedObject.create({ data: { sha256, size } })
      await budgets.countStored(tx)
    })
  await upload('b', 10)
  expect(await stateNow()).toEqual(['near'])
  await expect(upload('c', MIB)).rejects.toMatchObject({ message: 'a budget is used up', until: null })
  // The event is written after the transaction.
  await new Promise(setImmediate)
  await budgets.close()
  expect(await stateNow()).toEqual(['spent'])
  await database.db.$executeRaw`UPDATE "BudgetEvent" SET "start" = "start" - 40`
  expect(await stateNow()).toEqual(['spent'])
  await database.db.storedObject.delete({ where: { sha256: 'b' } })
  expect(await stateNow()).toEqual(['near'])
})

it('announces nothing for budgets below the thresholds', async () => {
  await scene.budget('month', 'money', 1_000_000_000)
  // A standing budget is announced by uploads, not by the hourly check.
  await scene.budget('standing', 'stored', 1)
  expect(await eventsOfIdleHour()).toEqual([])
})
