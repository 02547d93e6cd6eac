import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { awayFromMidnight } from '#testing/away-from-midnight.ts'
import { askMeter, BudgetScene } from '#testing/budgets/budget-scene.ts'
import { seededRandom } from '#testing/random.ts'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { budgetItem, budgetKey, ordinaryNanos } from '../budget-item.ts'
import { countStored } from '../stored-bytes.ts'
import { type BilledDay, computeBill } from './bill.ts'
import { daysBefore, monthBounds } from './month.ts'
import { type Prices, published } from './prices.ts'
import { readStoredDays } from './stored-days.ts'

let database: Database
let scene: BudgetScene
beforeAll(async () => {
  database = await openEmbeddedDatabase()
  scene = new BudgetScene(database.db)
})
afterAll(() => database.close())
beforeEach(async () => {
  await scene.clear()
  await database.db.storedObject.deleteMany()
  await database.db.storedDay.deleteMany()
  // What is stored counts by the database's own clock.
  await awayFromMidnight(5_000)
  scene.time = new Date()
})

const GIB = 1024 ** 3
const today = () => scene.time.toISOString().slice(0, 10)
const daysLeft = () => (Date.parse(monthBounds(today().slice(0, 7)).next) - Date.parse(today())) / 86_400_000
const used = async () => {
  const { budgets } = await scene.read()
  return Object.fromEntries(budgets.map(({ period, used }) => [period, used]))
}
const priced = (prices: Prices, days: readonly { readonly bytes: number }[], length: number) => {
  const none = { writes: 0, reads: 0, deletes: 0, bytesIn: 0, bytesOut: 0 }
  const plain = { ...prices, provider: prices.provider === 'r2' ? ('other' as const) : prices.provider, free: [] }
  return computeBill(
    plain,
    days.map(({ bytes }): BilledDay => ({ ...none, stored: bytes })),
    length,
  ).nanos
}

describe('a budget of money', () => {
  it.each(['s3', 'r2', 'b2', 'cos'] as const)('counts what is stored as the bill of %s does', async (provider) => {
    const { below } = seededRandom(1)
    scene.prices = published[provider]
    await scene.budget('month', 'money', 1_000_000)
    await scene.budget('day', 'money', 1_000_000)
    const { first, next, length } = monthBounds(today().slice(0, 7))
    for (let known = 0; known < 40; known += 3) {
      await database.db.storedObject.deleteMany()
      await database.db.storedDay.deleteMany()
      await database.db.storedObject.create({ data: { sha256: 'a', size: 1 + below(2e9) } })
      await database.db.storedDay.deleteMany()
      // Counting began `known` days ago, and the last change was `last` days ago (0 is today).
      const last = below(Math.min(3, known + 1))
      for (let ago = last; ago <= known; ago += 1)
        await database.db.storedDay.create({ data: { day: new Date(daysBefore(today(), ago)), bytes: below(4e9) } })
      const days = await readStoredDays(database.db, first, next)
      expect(await used()).toEqual({
        month: priced(scene.prices, days, length),
        day: priced(
          scene.prices,
          days.filter(({ day }) => day === today()),
          length,
        ),
      })
    }
  })

  it.each(['2027-01-31', '2027-02-01', '2028-02-28', '2028-02-29', '2028-03-01', '2027-12-31', '2027-07-15'])(
    'counts on %s what the bill of that month does, however many days were counted',
    async (day) => {
      const { below } = seededRandom(2)
      scene.prices = published.b2
      await scene.budget('month', 'money', 1_000_000)
      await scene.budget('day', 'money', 1_000_000)
      await database.db.storedObject.create({ data: { sha256: 'a', size: 1 + below(2e9) } })
      scene.time = new Date(`${day}T${below(2) === 0 ? '00:00:00.000' : '23:59:59.999'}Z`)
      const { first, next, length } = monthBounds(day.slice(0, 7))
      for (const [last, known] of [
        [0, -1],
        [0, 0],
        [0, 1],
        [1, 1],
        [0, 35],
        [20, 35],
        [33, 70],
      ] as const) {
        await database.db.storedDay.deleteMany()
        for (let ago = last; ago <= known; ago += 1)
          await database.db.storedDay.create({ data: { day: new Date(daysBefore(day, ago)), bytes: below(4e9) } })
        const days = await readStoredDays(database.db, first, next)
        const ofDay = days.filter((each) => each.day === day)
        expect(await used()).toEqual({
          month: priced(scene.prices, days, length),
          day: priced(scene.prices, ofDay, length),
        })
      }
    },
  )

  it('charges for objects stored before counting began and unchanged since', async () => {
    scene.prices = published.s3
    await scene.budget('month', 'money', 1_000_000)
    await scene.budget('day', 'money', 1_000_000)
    await database.db.storedObject.create({ data: { sha256: 'a', size: 1_000_000_000 } })
    await database.db.storedDay.deleteMany()
    const { first, next, length } = monthBounds(today().slice(0, 7))
    const days = await readStoredDays(database.db, first, next)
    expect(await used()).toEqual({
      month: priced(scene.prices, days, length),
      day: priced(scene.prices, days.slice(0, 1), length),
    })
  })

  it('leaves to reads what storage does not use, and more after a deletion', async () => {
    scene.prices = { ...published.s3, stored: 1_000_000_000, reads: 1_000_000_000 }
    await database.db.storedObject.create({ data: { sha256: 'a', size: GIB / 1024 } })
    await scene.budget('month', 'money', Number.MAX_SAFE_INTEGER)
    const { month = 0 } = await used()
    await scene.budget('month', 'money', month + 25_000)
    const { meter } = scene.member()
    // A read costs 1,000.
    expect((await askMeter(meter, 40)).passed).toBe(25)
    expect(await used()).toEqual({ month: month + 25_000 })
    await database.db.storedObject.deleteMany()
    // Today still counts with its peak.
    const peak = Math.ceil(month / daysLeft())
    expect(await used()).toEqual({ month: peak + 25_000 })
    scene.pass(1_000)
    expect((await askMeter(meter, 40)).passed).toBe(Math.min(40, Math.floor((month - peak) / 1_000)))
  })

  it('refuses a large upload only, and every upload once an ordinary one has no room', async () => {
    scene.prices = { ...published.s3, stored: 1_000_000_000 }
    const upload = (sha256: string, size: number) =>
      database.db.$transaction(async (tx) => {
        await tx.storedObject.create({ data: { sha256, size } })
        const stored = await countStored(tx, scene.terms)
        if (stored.outcome !== 'fits') throw stored
        return stored
      })
    const MIB = 1024 * 1024
    const { length } = monthBounds(today().slice(0, 7))
    const storageCost = (bytes: number) => Math.ceil((bytes * daysLeft() * 1_000_000_000) / (GIB * length))
    await scene.budget('month', 'money', storageCost(5 * MIB) + 10)
    expect(await upload('a', 2 * MIB)).toMatchObject({ outcome: 'fits' })
    await expect(upload('b', 4 * MIB)).rejects.toMatchObject({ outcome: 'too-large', spent: [] })
    expect(await upload('c', 3 * MIB)).toMatchObject({ outcome: 'fits' })
    await expect(upload('d', 1_000)).rejects.toMatchObject({
      outcome: 'full',
      spent: [{ period: 'month', unit: 'money' }],
    })
    expect((await used()).month).toBeLessThanOrEqual(storageCost(5 * MIB) + 10)
  })

  it('bounds no upload if storage is free', async () => {
    scene.prices = { ...published.s3, stored: 0 }
    await scene.budget('month', 'money', 0)
    const stored = await database.db.$transaction((tx) => countStored(tx, scene.terms))
    expect(stored).toMatchObject({ outcome: 'fits', budgets: [] })
  })
})

it('shows a spent budget as fine once a deletion makes room', async () => {
  const use = { period: 'month', unit: 'money', limit: 100, ownLimit: 100, isFree: false } as const
  const stateAt = (used: number, storage: number) =>
    budgetItem({ ...use, used, storage }, today(), new Set([budgetKey(use)]), 21).state
  expect([stateAt(99, 50), stateAt(80, 50), stateAt(79, 50), stateAt(79, 0)]).toEqual([
    'spent',
    'spent',
    'fine',
    'spent',
  ])
})

it('shows a spent budget as near once a deletion makes room for an ordinary request of each kind', async () => {
  // At S3 a read and a write cost 5,400 nanos, a MiB sent and kept for a month 110,352.
  scene.prices = published.s3
  expect(ordinaryNanos(scene.prices)).toBe(115_752)
  const use = { period: 'month', unit: 'money', limit: 1_000_000, ownLimit: 1_000_000, isFree: false } as const
  const stateAt = (used: number) =>
    budgetItem({ ...use, used, storage: 1 }, today(), new Set([budgetKey(use)]), ordinaryNanos(scene.prices)).state
  expect([1_000_000 - 115_751, 1_000_000 - 115_752].map(stateAt)).toEqual(['spent', 'near'])
})
