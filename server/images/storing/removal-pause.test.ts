import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { originalKey } from '#server/storage/object-store.ts'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { expectSound, makeScene } from '#testing/storage/storage-scene.ts'
import { hashFile } from './hash-file.ts'
import { beginPause, endPause, PAUSE_MS, prolongPause } from './removal-pause.ts'

let database: Database
beforeAll(async () => {
  database = await openEmbeddedDatabase()
})
afterAll(() => database.close())

test('deletes no bytes during a pause, neither those of a purged image nor orphans', async () => {
  await using scene = await makeScene(database.db)
  const [file, orphan] = [await scene.file(), join(scene.folder, 'orphan')]
  await writeFile(orphan, randomBytes(10))
  const { sha256 } = await hashFile(orphan)
  await scene.store.put(originalKey(sha256), { path: orphan }, 10)
  const image = await scene.upload(await scene.owner(), file)

  const [pause, other] = [await beginPause(scene.db), await beginPause(scene.db)]
  expect(await scene.purge(image)).toBe(true)
  const count = async () => (await Array.fromAsync(scene.store.list(''))).length
  expect(await scene.removeMarked()).toEqual([])
  expect(await scene.sweep()).toMatchObject({ leftovers: 0, orphans: 0, remaining: 2 })
  expect(await count()).toBe(4)
  await endPause(scene.db, pause)
  expect(await scene.removeMarked()).toEqual([])
  expect(await count()).toBe(4)

  await endPause(scene.db, other)
  await scene.removeMarked()
  expect(await scene.sweep()).toMatchObject({ orphans: 1, remaining: 0 })
  await expectSound(scene, [])
})

test('keeps bytes uploaded during a pause, and serves the image again', async () => {
  await using scene = await makeScene(database.db)
  const [owner, file] = [await scene.owner(), await scene.file()]
  const image = await scene.upload(owner, file)
  const pause = await beginPause(scene.db)
  await scene.purge(image)
  await scene.upload(owner, file)
  await endPause(scene.db, pause)
  await scene.removeMarked()
  await expectSound(scene, [image.sha256])
})

test('a pause expires when its process dies, and cannot be extended afterwards', async () => {
  await using scene = await makeScene(database.db)
  const image = await scene.upload(await scene.owner(), await scene.file())
  const pause = await beginPause(scene.db)
  expect(await prolongPause(scene.db, pause)).toBe(true)
  await scene.purge(image)
  await scene.db.$executeRaw`UPDATE "RemovalPause" SET "until" = "until" - ${PAUSE_MS} * interval '1 millisecond'`
  expect(await prolongPause(scene.db, pause)).toBe(false)
  await scene.removeMarked()
  await expectSound(scene, [])
})
