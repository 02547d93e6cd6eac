import { randomBytes } from 'node:crypto'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { type ObjectKey, type ObjectStore, originalKey, variantKey } from '#server/storage/object-store.ts'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { sweepAll } from '#testing/storage/storage-pieces.ts'
import { expectSound, makeScene, type Scene } from '#testing/storage/storage-scene.ts'
import { hashFile } from '../storing/hash-file.ts'
import { sweep } from './sweep.ts'

let database: Database
beforeAll(async () => {
  database = await openEmbeddedDatabase()
})
afterAll(() => database.close())

const temp = { removeOlder: async () => 0 }
const nothing = { orphans: 0, orphanBytes: 0, leftovers: 0, unfinished: 0, temporary: 0, lost: 0, remaining: 0 }
const hash = () => randomBytes(32).toString('hex')

async function put({ folder, store }: Scene, sha256: string, width: number | null, size: number): Promise<void> {
  const path = join(folder, hash())
  await writeFile(path, randomBytes(size))
  await store.put(width ? variantKey(sha256, width, hash()) : originalKey(sha256), { path }, size)
}

test('deletes objects that no row references, and keeps all others', async () => {
  await using scene = await makeScene(database.db)
  const file = await scene.file()
  const { sha256 } = file.original
  await scene.upload(await scene.owner(), file)
  const stranger = hash()
  await put(scene, stranger, null, 100)
  await put(scene, stranger, 400, 10)
  // A variant by another version of the encoder, of a live image.
  await put(scene, sha256, 400, 20)
  expect(await scene.sweep()).toEqual({ ...nothing, listed: 6, listedBytes: 7_630, orphans: 3, orphanBytes: 130 })
  await expectSound(scene, [sha256])
  expect(await scene.sweep()).toEqual({ ...nothing, listed: 3, listedBytes: 7_500 })
})

test('keeps all orphans if a large part of the store is unknown to the database', async () => {
  await using scene = await makeScene(database.db)
  for (let object = 0; object < 20; object += 1) await put(scene, hash(), null, 10)
  const known = await scene.file()
  await scene.upload(await scene.owner(), known)
  await put(scene, hash(), null, 10)
  const logged: object[] = []
  const log = { error: (details: object) => logged.push(details) }
  const sweepOnce = () => sweep({ db: scene.db, store: scene.store, temp, log }, new Date(Date.now() + 60_000))
  expect(await sweepOnce()).toEqual({ ...nothing, listed: 24, listedBytes: 7_710, remaining: 21 })
  expect(logged).toEqual([{ orphans: 21, listed: 24 }])
  // As few as a crash can leave.
  const [one] = await Array.fromAsync(scene.store.list(''), ({ key }) => key).then((keys) =>
    keys.filter((key) => !key.startsWith(known.original.sha256)),
  )
  if (one) await scene.store.delete(one)
  expect(await sweepOnce()).toMatchObject({ listed: 23, orphans: 20, remaining: 0 })
  await expectSound(scene, [known.original.sha256])
})

test('keeps objects younger than the given time', async () => {
  await using scene = await makeScene(database.db)
  await put(scene, hash(), null, 100)
  const parts = { db: scene.db, store: scene.store, temp, log: { error: () => undefined } }
  const before = new Date(Date.now() - 60_000)
  expect(await sweep(parts, before)).toEqual({ ...nothing, listed: 1, listedBytes: 100 })
})

test('deletes marked objects, and rows without images', async () => {
  await using scene = await makeScene(database.db)
  const [one, marked, forgotten] = [await scene.owner(), await scene.file(), await scene.file()]
  await scene.purge(await scene.upload(one, marked))
  await scene.upload(one, forgotten)
  await scene.db.image.deleteMany()
  await scene.db.user.updateMany({ data: { usedBytes: 0 } })
  expect(await scene.sweep()).toEqual({ ...nothing, listed: 0, listedBytes: 0, leftovers: 2 })
  await expectSound(scene, [])
})

test('keeps objects that an upload holds', async () => {
  await using scene = await makeScene(database.db)
  const [one, file] = [await scene.owner(), await scene.file()]
  const reports: unknown[] = []
  // This sweep has no age limit for objects, but must keep one for the files of other puts under way, which are seconds old;
  // a real sweep deletes none that is younger than a day.
  const swept: ObjectStore = {
    ...scene.store,
    removeUnfinished: () => scene.store.removeUnfinished(new Date(Date.now() - 86_400_000)),
  }
  const store: ObjectStore = {
    ...scene.store,
    put: async (...given) => {
      await scene.store.put(...given)
      reports.push(await sweepAll(scene.db, swept))
    },
  }
  await scene.upload(one, file, { store })
  expect(reports).toMatchObject([
    { remaining: 1, orphans: 0 },
    { remaining: 1, orphans: 0 },
    { remaining: 1, orphans: 0 },
  ])
  await expectSound(scene, [file.original.sha256])
})

test('deletes unfinished puts and temporary files, and reports what it could not delete', async () => {
  await using scene = await makeScene(database.db)
  const [broken, fine] = [hash(), hash()]
  await put(scene, broken, null, 10)
  await put(scene, fine, null, 20)
  const store: ObjectStore = {
    ...scene.store,
    removeUnfinished: async () => 3,
    delete: async (key, ...given) => {
      if (key === broken) throw new Error('The store is away')
      await scene.store.delete(key, ...given)
    },
  }
  const logged: object[] = []
  const parts = {
    db: scene.db,
    store,
    temp: { removeOlder: async () => 2 },
    log: { error: (details: object) => logged.push(details) },
  }
  const report = await sweep(parts, new Date(Date.now() + 60_000))
  const removed = { orphans: 1, orphanBytes: 20, unfinished: 3, temporary: 2, remaining: 1 }
  expect(report).toEqual({ ...nothing, listed: 2, listedBytes: 30, ...removed })
  expect(logged).toMatchObject([{ sha256: broken, err: { message: 'The store is away' } }])
})

test('deletes the folder of a dead upload by its age', async () => {
  await using scene = await makeScene(database.db)
  const path = join(scene.folder, 'objects/tmp/left')
  await writeFile(path, 'x')
  await utimes(path, new Date(0), new Date(0))
  expect(await scene.store.removeUnfinished(new Date(Date.now() - 60_000))).toBe(1)
  await expect(hashFile(path)).rejects.toThrow('ENOENT')
})

test('marks lost variants to be re-created, except those without an original or still being uploaded', async () => {
  await using scene = await makeScene(database.db)
  const { db, store } = scene
  const owner = await scene.owner()
  const upload = async () => {
    const image = await scene.upload(owner, await scene.file())
    const keys = await Array.fromAsync(store.list(image.sha256), ({ key }) => key)
    return { ...image, variants: keys.filter((key) => key !== originalKey(image.sha256)) }
  }
  const [whole, lost, bare, gone] = [await upload(), await upload(), await upload(), await upload()]
  const remove = async (keys: readonly (ObjectKey | undefined)[]) => {
    for (const key of keys) if (key) await store.delete(key)
  }
  await remove([lost.variants[0], ...bare.variants, originalKey(gone.sha256), gone.variants[0]])
  // An unreferenced object of the same image.
  await put(scene, whole.sha256, 400, 20)
  const due = async () => {
    const rows = await db.storedObject.findMany({ where: { variantsDue: true }, select: { sha256: true } })
    return rows.map(({ sha256 }) => sha256).sort()
  }
  const young = { db, store, temp, log: { error: () => undefined } }
  expect(await sweep(young, new Date(Date.now() - 60_000))).toMatchObject({ lost: 0 })
  expect(await due()).toEqual([])
  expect(await scene.sweep()).toMatchObject({ orphans: 1, lost: 2, remaining: 0 })
  expect(await due()).toEqual([lost.sha256, bare.sha256].sort())
})

test('checks the store again for unlisted objects, which may have been put after the listing', async () => {
  await using scene = await makeScene(database.db)
  const { db, store } = scene
  const { sha256 } = await scene.upload(await scene.owner(), await scene.file())
  async function* list(prefix: string) {
    for await (const listed of store.list(prefix)) if (listed.key === originalKey(sha256)) yield listed
  }
  const parts = { db, store: { ...store, list }, temp, log: { error: () => undefined } }
  expect(await sweep(parts, new Date(Date.now() + 60_000))).toEqual({
    ...nothing,
    listed: 1,
    listedBytes: expect.any(Number),
  })
  expect(await db.storedObject.count({ where: { variantsDue: true } })).toBe(0)
})
