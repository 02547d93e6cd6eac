import { execFile } from 'node:child_process'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkData } from '#server/images/maintenance/check-data.ts'
import { removeObject } from '#server/images/storing/object-removal.ts'
import { purgeRow } from '#server/images/storing/purge-rows.ts'
import { ObjectNotFound, type ObjectStore, originalKey } from '#server/storage/object-store.ts'
import { mountSmallDisk } from '#testing/servers/small-disk.ts'
import { type DataPlace, fill, keysOfStore, openPlace, readRows, storeOne } from '#testing/storage/backup-scene.ts'
import { backUpTo, openFolder, restoreSnapshot } from '#testing/storage/destination-scene.ts'
import { makeOwner } from '#testing/storage/storage-pieces.ts'
import { openDestination } from './destination.ts'
import { findSnapshot, readSnapshot } from './read-snapshot.ts'

let place: DataPlace
let owner: string
let folder: Awaited<ReturnType<typeof openFolder>>
beforeAll(async () => {
  place = await openPlace()
  await fill(place, 3)
  owner = await makeOwner(place.db)
})
afterAll(() => place[Symbol.asyncDispose]())
beforeEach(async () => {
  await using stack = new AsyncDisposableStack()
  folder = stack.use(await openFolder())
  stack.move()
  return () => folder[Symbol.asyncDispose]()
})

const DAY_MS = 24 * 60 * 60_000
const fileOf = (hash: string, root = 'objects') => join(folder.path, root, hash.slice(0, 2), hash.slice(2, 4), hash)
const filesIn = async (root: string) =>
  (await readdir(join(folder.path, root), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
/** Reads a snapshot and all its objects again, as verifying it does. */
async function readThere(name: string) {
  await using destination = await openDestination(folder.to)
  await using own = await place.temp.create()
  const lost: string[] = []
  const { key } = await findSnapshot(destination, name)
  const stored = { store: destination.objects, lost: (key: string) => lost.push(key) }
  const read = await readSnapshot(destination, key, { folder: own.path, object: async () => undefined, stored })
  return { ...read, lost }
}
/** Deletes an image for good. */
async function purge(id: string): Promise<void> {
  const image = await place.db.image.update({ where: { id }, data: { trashedAt: new Date() } })
  expect(await place.db.$transaction((tx) => purgeRow(tx, image))).toBe(true)
  expect(await removeObject(place.db, place.store, image.sha256)).toBe(true)
}
const ageLeftovers = () => place.db.backupLeftover.updateMany({ data: { since: new Date(Date.now() - 2 * DAY_MS) } })
const endedRun = () => place.db.backupRun.findFirstOrThrow({ orderBy: { startedAt: 'desc' } })

test('sends only what is new, and restores all of it into an empty site', async () => {
  const first = await backUpTo(place, folder.to)
  expect(first).toMatchObject({ objects: 9, sentObjects: 9, damaged: 0, unpruned: null })
  const image = await storeOne(place, owner)
  const second = await backUpTo(place, folder.to)
  expect(second).toMatchObject({ objects: 12, sentObjects: 3, doneObjects: 12 })
  expect(await endedRun()).toMatchObject({ sentObjects: 3, failure: null, destination: folder.path })

  await using copy = await openPlace()
  await restoreSnapshot(copy, folder.to)
  expect(await readRows(copy.db)).toEqual(await readRows(place.db))
  expect(await keysOfStore(copy.store)).toEqual(await keysOfStore(place.store))
  expect((await checkData(copy)).findings).toEqual([])
  // What belongs to the old site's processes and sessions is not restored.
  expect([await copy.db.session.count(), await copy.db.backupRun.count()]).toEqual([0, 0])
  await purge(image.id)
})

test('restores a consistent site from a backup during which images came, went, and were swept', async () => {
  const gone = await storeOne(place, owner)
  const rows = await readRows(place.db)
  let late: { sha256: string; id: string } | null = null
  const store: ObjectStore = {
    ...place.store,
    async open(key) {
      // The rows are read by now.
      if (late === null) {
        late = { sha256: '', id: '' }
        const image = await place.db.image.update({ where: { id: gone.id }, data: { trashedAt: new Date() } })
        await place.db.$transaction((tx) => purgeRow(tx, image))
        expect(await removeObject(place.db, place.store, gone.sha256)).toBe(false)
        late = await storeOne(place, owner)
      }
      return place.store.open(key)
    },
  }
  await backUpTo({ ...place, store }, folder.to)
  expect(await removeObject(place.db, place.store, gone.sha256)).toBe(true)

  await using copy = await openPlace()
  await restoreSnapshot(copy, folder.to)
  expect(await readRows(copy.db)).toEqual(rows)
  expect((await checkData(copy)).findings).toEqual([])
  expect(await copy.store.readSize(originalKey(gone.sha256))).toBe(5_000)
  await place.db.image.deleteMany({ where: { ownerId: owner } })
  for (const { sha256 } of await place.db.storedObject.findMany({ where: { images: { none: {} } } })) {
    await place.db.storedObject.update({ where: { sha256 }, data: { state: 'deleting' } })
    await removeObject(place.db, place.store, sha256)
  }
})

test('deletes what no snapshot names, a day later', async () => {
  const image = await storeOne(place, owner)
  const first = await backUpTo(place, folder.to)
  await purge(image.id)
  // The first snapshot is kept, and names it.
  await ageLeftovers()
  await backUpTo(place, folder.to)
  expect(await place.db.backupLeftover.count()).toBe(0)
  const keep = { count: 1, days: 0 }
  expect(await backUpTo(place, folder.to, { keep })).toMatchObject({ pruned: 0 })
  expect(await filesIn('snapshots')).toHaveLength(1)
  await expect(restoreSnapshot(place, folder.to, first.name)).rejects.toThrow(/has no snapshot/)
  expect(await place.db.backupLeftover.count()).toBe(3)
  expect(await filesIn('objects')).toContain(image.sha256)
  await ageLeftovers()
  expect(await backUpTo(place, folder.to, { keep })).toMatchObject({ pruned: 3, unpruned: null })
  expect(await filesIn('objects')).toHaveLength(9)
  expect(await place.db.backupLeftover.count()).toBe(0)
})

test('an object that is named again is not deleted, however long nobody named it', async () => {
  await backUpTo(place, folder.to)
  const { sha256 } = await place.db.storedObject.findFirstOrThrow()
  await place.db.backupLeftover.create({ data: { key: sha256, since: new Date(0) } })
  expect(await backUpTo(place, folder.to, { keep: { count: 1, days: 0 } })).toMatchObject({ pruned: 0 })
  expect(await filesIn('objects')).toContain(sha256)
})

test('deletes nothing while a snapshot cannot be read, and says which', async () => {
  const image = await storeOne(place, owner)
  const { name } = await backUpTo(place, folder.to)
  const [file = ''] = await filesIn('snapshots')
  const path = join(folder.path, 'snapshots', file.slice(0, 2), file.slice(2, 4), file)
  const good = await readFile(path)
  await purge(image.id)
  await writeFile(path, good.with(20, (good[20] ?? 0) ^ 1))
  const report = await backUpTo(place, folder.to)
  expect(report.unpruned?.message).toBe(
    `Old backups were not deleted, because ${name} cannot be read. Delete it at the destination if it is damaged.`,
  )
  expect(await endedRun()).toMatchObject({ failure: { text: { code: 'backup-snapshot-unreadable' } } })
  await expect(restoreSnapshot(place, folder.to, name)).rejects.toThrow(/missing or corrupt/)
})

test('a copy that is damaged or cut short at the destination is found, and sent again', async () => {
  await backUpTo(place, folder.to)
  const [one = '', other = ''] = (await place.db.storedObject.findMany()).map(({ sha256 }) => sha256)
  await writeFile(fileOf(one), 'cut short')
  expect(await backUpTo(place, folder.to)).toMatchObject({ sentObjects: 1 })
  const bytes = await readFile(fileOf(other))
  await writeFile(fileOf(other), bytes.with(7, (bytes[7] ?? 0) ^ 4))
  expect((await readThere('latest')).lost).toEqual([other])
  await using copy = await openPlace()
  await expect(restoreSnapshot(copy, folder.to)).rejects.toThrow(`The object ${other} is missing or damaged there.`)
  expect(await copy.db.user.count()).toBe(0)
  await rm(fileOf(other))
  expect(await backUpTo(place, folder.to)).toMatchObject({ sentObjects: 1 })
  await restoreSnapshot(copy, folder.to)
})

test('an object that the store has lost is taken from an earlier backup, or reported', async () => {
  const image = await storeOne(place, owner)
  const key = originalKey(image.sha256)
  const store: ObjectStore = {
    ...place.store,
    open: (...given) => (given[0] === key ? Promise.reject(new ObjectNotFound(key)) : place.store.open(...given)),
  }
  expect(await backUpTo({ ...place, store }, folder.to)).toMatchObject({ damaged: 1, objects: 12, sentObjects: 11 })
  const name = await backUpTo({ ...place, store }, folder.to).then((report) => report.name)
  expect((await readThere(name)).damaged).toEqual([key])
  await backUpTo(place, folder.to)
  expect(await backUpTo({ ...place, store }, folder.to)).toMatchObject({ damaged: 0, sentObjects: 0 })
  await purge(image.id)
})

test('only one runs at a time, and one that lost its lock writes no snapshot', async () => {
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const store: ObjectStore = {
    ...place.store,
    async open(...given) {
      begun.resolve()
      await held.promise
      return place.store.open(...given)
    },
  }
  const first = backUpTo({ ...place, store }, folder.to)
  await begun.promise
  await expect(backUpTo(place, folder.to)).rejects.toThrow('A backup is already running.')
  await place.db.backupRun.updateMany({ where: { endedAt: null }, data: { aliveUntil: new Date(0) } })
  await backUpTo(place, folder.to)
  held.resolve()
  await expect(first).rejects.toThrow('The backup lost its lock')
  expect(await filesIn('snapshots')).toHaveLength(1)
})

test('a destination that is full keeps what was sent, and the next run goes on', async () => {
  const disk = await mountSmallDisk(48 * 1_024)
  // Mounting is not permitted everywhere.
  if (disk === null) return
  await using _ = disk
  const to = { kind: 'folder', path: disk.path } as const
  await expect(backUpTo(place, to)).rejects.toThrow('The destination of backups is full. Free space there')
  expect(await endedRun()).toMatchObject({ snapshot: null, failure: { text: { code: 'backup-destination-full' } } })
  await promisify(execFile)('mount', ['-o', 'remount,size=4m', disk.path])
  const { objects, sentObjects } = await backUpTo(place, to)
  expect(sentObjects).toBeLessThan(objects)
})

test('does not fill a disk in place of one that is not mounted', async () => {
  await rename(folder.path, `${folder.path}-away`)
  await expect(backUpTo(place, folder.to)).rejects.toThrow(`The folder ${folder.path} does not exist.`)
  await rename(`${folder.path}-away`, folder.path)
  const { name } = await backUpTo(place, folder.to)
  for (const root of ['objects', 'snapshots']) await rm(join(folder.path, root), { recursive: true })
  await expect(backUpTo(place, folder.to)).rejects.toThrow(
    `${folder.path} has no backups any more, although ${name} was written there.`,
  )
  expect(await endedRun()).toMatchObject({ failure: { text: { code: 'backup-destination-emptied' } } })
})
