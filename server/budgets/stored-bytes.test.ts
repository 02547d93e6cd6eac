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
