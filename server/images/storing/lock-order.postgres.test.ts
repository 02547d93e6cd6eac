import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { gatedDatabase } from '#testing/gated.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { makeScene } from '#testing/storage/storage-scene.ts'
import { purgeRow } from './purge-rows.ts'

let served: TestApp
let root: Person
beforeAll(async () => {
  served = await startApp({ DATABASE_URL: await createPostgresDatabase() })
  root = await served.person({ role: 'superadmin' })
})
afterAll(async () => {
  await served[Symbol.asyncDispose]()
})

test('deleting a user while one of their images is purged causes no deadlock', async () => {
  const owner = await served.person()
  const { db } = served.app
  const image = await insertBareImage(db, owner.viewer.userId, { trashed: true })
  const { gated, stopped, go } = stopBefore(db, 'image.findFirst')
  const purge = transact(gated, (tx) => purgeRow(tx, image))
  await stopped
  const deletion = served.as(root).user.delete({ id: owner.viewer.userId })
  await isWaiting(db)
  go()
  expect(await purge).toBe(true)
  expect(await deletion).toEqual({ id: owner.viewer.userId })
  expect(await deadlocks(db)).toEqual([{ deadlocks: 0n }])
})

test('deleting a user while they and another user upload the same bytes causes no deadlock', async () => {
  const [owner, other] = [await served.person(), await served.person()]
  const { db } = served.app
  const id = { id: owner.viewer.userId }
  await using scene = await makeScene(db)
  const [theirs, fresh] = [await scene.file(), await scene.file()]
  await scene.upload(owner.viewer.userId, theirs)
  const { gated, stopped, go } = stopBefore(db, 'image.findFirst')
  const uploads = [
    scene.upload(other.viewer.userId, theirs, { db: gated }),
    scene.upload(owner.viewer.userId, fresh, { db: gated }).catch((error: Error) => error.message),
  ]
  await stopped
  const deletion = served.as(root).user.delete(id)
  await isWaiting(db)
  go()
  expect(await deletion).toEqual(id)
  await Promise.all(uploads)
  expect(await db.image.count({ where: { ownerId: id.id } })).toBe(0)
  expect(await db.image.count({ where: { ownerId: other.viewer.userId } })).toBe(1)
  expect(await deadlocks(db)).toEqual([{ deadlocks: 0n }])
})

/** A database whose transactions stop before a step, with object rows locked, until they are resumed. */
function stopBefore(db: PrismaClient, step: string) {
  const [reached, mayGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const gate = async (next: string) => {
    if (next !== step) return
    reached.resolve()
    await mayGo.promise
  }
  return { gated: gatedDatabase(db, gate, { inside: true }), stopped: reached.promise, go: mayGo.resolve }
}

const isWaiting = (db: PrismaClient) =>
  expect.poll(() => db.$queryRaw`SELECT DISTINCT 1 FROM pg_locks WHERE NOT granted`).toHaveLength(1)

const deadlocks = (db: PrismaClient): Promise<unknown> => db.$queryRaw`
  SELECT "deadlocks" FROM pg_stat_database WHERE "datname" = current_database()`
