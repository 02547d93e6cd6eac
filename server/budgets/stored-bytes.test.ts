import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { openEmbeddedDatabase } from '#testing/embedded-database.ts'

let database: Database
beforeAll(async () => {
  database = await openEmbeddedDatabase()
})
afterAll(() => database.close())

const counted = () => database.db.siteStorage.findUniqueOrThrow({ where: { id: 1 } })

it('counts an object and its variants as rows come, change and go', async () => {
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

it('counts many rows of a transaction once, and nothing of what was undone', async () => {
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

it('counts at once where it is told to, and what comes behind that', async () => {
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
