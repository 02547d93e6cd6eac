import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { originalKey } from '#server/storage/object-store.ts'
import { openPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { makeScene } from '#testing/storage/storage-scene.ts'
import { removeObject, removeUnneeded } from './object-removal.ts'
import { purgeRow } from './purge-rows.ts'
import { beginPause, endPause } from './removal-pause.ts'

let database: Database
beforeAll(async () => {
  database = await openPostgresDatabase()
})
afterAll(() => database.close())

test.each([
  ['the removal of what is marked', removeObject, false],
  [
    'the sweep',
    (...[db, store, sha256]: Parameters<typeof removeObject>) =>
      removeUnneeded(db, store, sha256, [originalKey(sha256)]),
    null,
  ],
])('%s that has waited for a purge since before the pause deletes nothing', async (_, remove, nothing) => {
  await using scene = await makeScene(database.db)
  const { db, store } = scene
  const image = await scene.upload(await scene.owner(), await scene.file())
  await db.image.update({ where: { id: image.id }, data: { trashedAt: new Date() } })
  const waiting = () => db.$queryRaw`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`

  const [removed, pause] = await db.$transaction(async (tx) => {
    await purgeRow(tx, image)
    const removal = remove(db, store, image.sha256)
    await expect.poll(waiting, { interval: 5 }).toHaveLength(1)
    // The pause is created after the waiting statement was sent and before it continues.
    return [removal, await beginPause(db)] as const
  })
  expect(await removed).toBe(nothing)
  expect(await store.readSize(originalKey(image.sha256))).toBe(5_000)
  await endPause(db, pause)
  expect(await remove(db, store, image.sha256)).toBeTruthy()
})
