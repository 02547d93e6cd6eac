import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { daysBefore } from './bill/month.ts'
import { published } from './bill/prices.ts'
import { readStoredDays } from './bill/stored-days.ts'
import { countStored } from './stored-bytes.ts'
import { readTerms } from './terms.ts'

let database: Database
beforeAll(async () => {
  database = await openEmbeddedDatabase()
})
afterAll(() => database.close())

const counted = () => database.db.siteStorage.findUniqueOrThrow({ where: { id: 1 } })

it('counts an object and its variants as rows are created, changed and deleted', async () => {
  const { storedObject } = database.db
  expect(await counted()).toEqual({ id: 1, bytes: 0n, objects: 0n })
  await storedObject.create({ data: { sha256: 'a', size: 100 } })
  await storedObject.create({ data: { sha256: 'b', size: 10, variants: [{ size: 3 }, { size: 4 }] } })
  expect(await counted()).toEqual({ id: 1, bytes: 117n, objects: 2n })
  await storedObject.update({ where: { sha256: 'a' }, data: { variants: [{ size: 50 }], frames: 2 } })
  await storedObject.update({ where: { sha256: 'b' }, data: { size: 20, variants: [] } })
  expect(await counted()).toEqual({ id: 1, bytes: 170n, objects: 2n })
  await storedObject.deleteMany()
  expect(await counted()).toEqual({ id: 1, bytes: 0n, objects: 0n })
})

it('counts each row of a transaction once, and nothing that was rolled back', async () => {
  const { db } = database
  const rows = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ sha256: `${name}${at}`, size: 10, variants: [{ size: 1 }] }))
  await db.$transaction(async (tx) => {
    await tx.storedObject.createMany({ data: rows('many', 5_000) })
    await tx.$executeRaw`SAVEPOINT "half"`
    await tx.storedObject.createMany({ data: rows('undone', 100) })
    await tx.storedObject.deleteMany({ where: { sha256: 'many0' } })
    await tx.$executeRaw`ROLLBACK TO SAVEPOINT "half"`
    await tx.storedObject.update({ where: { sha256: 'many1' }, data: { size: 15 } })
  })
  expect(await counted()).toEqual({ id: 1, bytes: 55_005n, objects: 5_000n })
  const undone = db.$transaction(async (tx) => {
    await tx.storedObject.deleteMany()
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await db.storedObject.create({ data: { sha256: 'one', size: 5 } })
  expect(await counted()).toEqual({ id: 1, bytes: 55_010n, objects: 5_001n })
})

it('counts at once when the constraint is immediate, and the changes after that', async () => {
  const { db } = database
  await db.storedObject.deleteMany()
  await db.$transaction(async (tx) => {
    await tx.storedObject.create({ data: { sha256: 'a', size: 1 } })
    expect(await tx.siteStorage.findUniqueOrThrow({ where: { id: 1 } })).toMatchObject({ bytes: 0n, objects: 0n })
    await tx.$executeRaw`SET CONSTRAINTS "stored_bytes" IMMEDIATE`
    expect(await tx.siteStorage.findUniqueOrThrow({ where: { id: 1 } })).toMatchObject({ bytes: 1n, objects: 1n })
    await tx.storedObject.create({ data: { sha256: 'b', size: 2 } })
    await tx.storedObject.update({ where: { sha256: 'a' }, data: { size: 4 } })
    expect(await tx.siteStorage.findUniqueOrThrow({ where: { id: 1 } })).toMatchObject({ bytes: 6n, objects: 2n })
  })
  expect(await counted()).toEqual({ id: 1, bytes: 6n, objects: 2n })
})

it('judges only the bytes that the transaction adds, not those already counted', async () => {
  const { db } = database
  await db.storedObject.deleteMany()
  await db.storedObject.create({ data: { sha256: 'going', size: 2_000_000, state: 'deleting' } })
  const limit = 1_500_000
  await db.budget.create({
    data: { period: 'standing', unit: 'stored', limit, changedAt: new Date(), changedBy: 'test' },
  })
  const again = db.$transaction(async (tx) => {
    await tx.storedObject.update({ where: { sha256: 'going' }, data: { holds: 1 } })
    return countStored(tx, { prices: published.disk })
  })
  // A smaller image has no room either.
  expect(await again).toMatchObject({
    outcome: 'full',
    budgets: [{ used: 2_000_000, limit }],
    spent: [{ unit: 'stored' }],
  })
  await db.budget.deleteMany()
})

const today = async () => (await readTerms(database.db, { prices: published.disk })).day
const storedOn = async (first: string, next: string) =>
  (await readStoredDays(database.db, first, next)).map(({ day, bytes, isKnown }) => [day, bytes, isKnown])

it('keeps the peak of each day, and the stored bytes on days without a change', async () => {
  const { db } = database
  await db.storedObject.deleteMany()
  await db.storedDay.deleteMany()
  const day = await today()
  const ago = (days: number) => daysBefore(day, days)
  expect(await storedOn(ago(2), ago(-1))).toEqual([
    [ago(2), 0, true],
    [ago(1), 0, true],
    [day, 0, true],
  ])
  await db.storedObject.create({ data: { sha256: 'a', size: 100 } })
  await db.storedObject.create({ data: { sha256: 'b', size: 50 } })
  await db.storedObject.delete({ where: { sha256: 'a' } })
  // The first change also records the day before it, but nothing earlier.
  expect(await storedOn(ago(2), ago(-2))).toEqual([
    [ago(2), 0, false],
    [ago(1), 0, true],
    [day, 150, true],
    [ago(-1), 50, true],
  ])
  // Move the history four days back.
  await db.$executeRaw`UPDATE "StoredDay" SET "day" = "day" - 4`
  expect(await storedOn(ago(5), ago(-1))).toEqual([
    [ago(5), 0, true],
    [ago(4), 150, true],
    ...[3, 2, 1, 0].map((days) => [ago(days), 50, true]),
  ])
  await db.storedObject.create({ data: { sha256: 'c', size: 7 } })
  await db.storedObject.delete({ where: { sha256: 'b' } })
  await db.storedObject.delete({ where: { sha256: 'c' } })
  expect(await storedOn(ago(4), ago(-2))).toEqual([
    [ago(4), 150, true],
    ...[3, 2, 1].map((days) => [ago(days), 50, true]),
    [day, 57, true],
    [ago(-1), 0, true],
  ])
  expect(await db.storedDay.count()).toBe(6)
})

it('counts days before the first row with what was stored then', async () => {
  const { db } = database
  await db.storedObject.create({ data: { sha256: 'old', size: 30 } })
  await db.storedDay.deleteMany()
  await db.storedObject.create({ data: { sha256: 'new', size: 1 } })
  const day = await today()
  expect(await storedOn(daysBefore(day, 3), daysBefore(day, -1))).toEqual([
    [daysBefore(day, 3), 30, false],
    [daysBefore(day, 2), 30, false],
    [daysBefore(day, 1), 30, true],
    [day, 31, true],
  ])
})
