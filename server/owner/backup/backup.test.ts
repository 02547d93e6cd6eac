import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readStoredDays } from '#server/budgets/bill/stored-days.ts'
import { checkData } from '#server/images/maintenance/check-data.ts'
import { removeObject } from '#server/images/storing/object-removal.ts'
import { purgeRow } from '#server/images/storing/purge-rows.ts'
import { originalKey } from '#server/storage/object-store.ts'
import {
  backUp,
  type DataPlace,
  fill,
  openPlace,
  readRows,
  restoreTo,
  storeOne,
} from '#testing/storage/backup-scene.ts'
import { makeFile } from '#testing/storage/storage-pieces.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { BackupFailed } from './format.ts'
import { readBackup } from './read-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { openBackup } from './write-backup.ts'

let folder: string
let source: DataPlace
let good: Buffer
const file = (name: string): string => join(folder, name)
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-backup-'))
  source = await openPlace()
  await fill(source, 2)
  await backUp(source, file('good.tar'))
  good = await readFile(file('good.tar'))
})
afterAll(async () => {
  await source[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

test('includes images purged during the backup, whose objects are deleted afterwards', async () => {
  await using place = await openPlace()
  await fill(place, 12)
  const { db, store } = place
  const image = await db.image.findFirstOrThrow({ where: { trashedAt: null }, orderBy: { sha256: 'desc' } })
  const rows = await readRows(db)
  const purged = Promise.withResolvers<void>()
  const slow = {
    ...store,
    open: (...given: Parameters<typeof store.open>) => purged.promise.then(() => store.open(...given)),
  }
  const writing = backUp({ ...place, store: slow }, file('purged.tar'))
  await expect.poll(() => db.removalPause.count()).toBe(1)
  // The moment of the backup is over once the rows of the last table are on the disk.
  const spool = join(place.dataDir, 'backup-tmp')
  await expect.poll(() => readdir(spool, { recursive: true })).toContainEqual(expect.stringMatching(/DeletionLink/))
  await db.image.update({ where: { id: image.id }, data: { trashedAt: new Date() } })
  expect(await db.$transaction((tx) => purgeRow(tx, image))).toBe(true)
  expect(await removeObject(db, store, image.sha256)).toBe(false)
  const late = await storeOne(place, image.ownerId)
  purged.resolve()
  await writing
  expect(await db.removalPause.count()).toBe(0)
  expect(await removeObject(db, store, image.sha256)).toBe(true)

  await using copy = await openPlace()
  expect((await restoreTo(copy, file('purged.tar'))).damaged).toEqual([])
  expect(await readRows(copy.db)).toEqual(rows)
  expect((await checkData(copy)).findings).toEqual([])
  expect(await copy.store.readSize(originalKey(image.sha256))).toBe(5_000)
  expect(await copy.store.readSize(originalKey(late.sha256))).toBe(null)
})

test.each([
  ['before', Prisma.sql`UPDATE "StoredDay" SET "day" = "day" - 4`],
  // As in a backup by a version without this table.
  ['none', Prisma.sql`DELETE FROM "StoredDay"`],
])('counts days between the last change and the restore with what is stored: days %s', async (_, change) => {
  await using place = await openPlace()
  await fill(place, 2)
  await place.db.$executeRaw(change)
  const [from, until] = [-6, 3].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))
  if (!from || !until) return expect.unreachable()
  const days = await readStoredDays(place.db, from, until)
  expect(days.at(-5)?.bytes).toBeGreaterThan(10_000)
  await backUp(place, file('days.tar'))
  await using copy = await openPlace()
  await restoreTo(copy, file('days.tar'))
  expect(await readStoredDays(copy.db, from, until)).toEqual(days)
  expect(await copy.db.storedDay.findMany()).toEqual(await place.db.storedDay.findMany())
})

test('a cancelled backup ends its pause and leaves no files', async () => {
  await using place = await openPlace()
  await fill(place, 1)
  const { body, ended } = await openBackup(place)
  expect(await place.db.removalPause.count()).toBe(1)
  body.destroy()
  await ended
  expect(await place.db.removalPause.count()).toBe(0)
  expect(await readdir(join(place.dataDir, 'backup-tmp'))).toEqual([])
})

test('a backup whose pause has lapsed fails', async () => {
  await using place = await openPlace()
  await fill(place, 1)
  const { body } = await openBackup(place)
  await place.db.removalPause.updateMany({ data: { until: new Date(0) } })
  await expect(body.toArray()).rejects.toThrow(/^The database was unavailable for so long/)
})

test('reports objects missing from the store, and restores everything else', async () => {
  await using place = await openPlace()
  await fill(place, 3)
  const [lost, broken] = await place.db.storedObject.findMany({ orderBy: { sha256: 'asc' } })
  if (!lost || !broken) return expect.unreachable()
  await place.store.delete(originalKey(lost.sha256))
  const { sha256 } = broken
  await writeFile(join(place.dataDir, 'objects', sha256.slice(0, 2), sha256.slice(2, 4), sha256), 'other bytes')
  await backUp(place, file('damaged.tar'))
  await using copy = await openPlace()
  expect((await restoreTo(copy, file('damaged.tar'))).damaged).toEqual([lost.sha256, sha256])
  expect(await readRows(copy.db)).toEqual(await readRows(place.db))
  const findings = [lost.sha256, sha256].map((key) => ({ kind: 'missing', key }))
  expect((await checkData(copy)).findings).toEqual(findings)
})

/** Returns what is read from a file of these bytes, or the message of its refusal. */
async function readAs(bytes: Buffer): Promise<string | object> {
  const own = await mkdtemp(join(folder, 'read-'))
  try {
    await writeFile(join(own, 'x.tar'), bytes)
    const keys: string[] = []
    const read = await readBackup(join(own, 'x.tar'), { folder: own, object: async (key) => void keys.push(key) })
    return { ...read, keys: keys.sort() }
  } catch (error) {
    if (!(error instanceof BackupFailed)) throw error
    return error.message
  } finally {
    await rm(own, { recursive: true })
  }
}

test('refuses a file truncated anywhere', async () => {
  const whole = await readAs(good)
  expect(whole).toMatchObject({ damaged: [], keys: { length: 6 } })
  // A tar ends with two blocks of zeros, which carry no data.
  const end = good.length - 1_024
  const cut = fc.oneof(
    fc.integer({ min: 0, max: end - 1 }),
    fc.integer({ min: 0, max: end / 512 - 1 }).map((block) => block * 512),
  )
  await fc.assert(
    fc.asyncProperty(cut, async (at) => {
      expect(await readAs(good.subarray(0, at))).toMatch(/^It is (truncated|not a Sluice backup)/)
    }),
    { numRuns: 60 },
  )
})

test('refuses a file with a flipped bit, unless the bit is insignificant', async () => {
  const whole = await readAs(good)
  await fc.assert(
    fc.asyncProperty(fc.nat(good.length - 1), fc.nat(7), async (at, bit) => {
      const flipped = Buffer.from(good)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << bit)
      const read = await readAs(flipped)
      // Padding, or the bytes after a checksum.
      if (typeof read !== 'string') expect(read).toEqual(whole)
    }),
    { numRuns: 120 },
  )
})

test.each([
  ['another file', Buffer.from('no tar at all'.repeat(1_000)), 'It is not a Sluice backup, or it was changed.'],
  ['nothing', Buffer.alloc(0), 'It is truncated: its manifest is missing.'],
])('refuses %s', async (_, bytes, message) => {
  expect(await readAs(bytes)).toBe(message)
})

test('a damaged file creates nothing, and a target in use is left alone', async () => {
  await writeFile(file('cut.tar'), good.subarray(0, good.length - 3_000))
  const open = () => Promise.reject(new Error('the target was opened'))
  const cut = restoreBackup((reader) => readBackup(file('cut.tar'), reader), {
    open,
    secret: null,
    origin: 'https://images.example.org',
    progress: () => undefined,
  })
  await expect(cut).rejects.toThrow(BackupFailed)
  const rows = await readRows(source.db)
  await expect(restoreTo(source, file('good.tar'))).rejects.toThrow(/^The database is not empty\./)
  expect(await readRows(source.db)).toEqual(rows)

  await using place = await openPlace()
  await restoreTo(place, file('good.tar'))
  await using next = await openPlace()
  const { original } = await makeFile(folder)
  await place.store.put(originalKey(original.sha256), original, original.size)
  const again = () => restoreTo({ ...next, store: place.store }, file('good.tar'))
  await expect(again()).rejects.toThrow(/^The image store has objects that are not in the backup/)
  // Objects put by an earlier attempt do not prevent a restore.
  await place.store.delete(originalKey(original.sha256))
  await again()
  expect((await checkData({ ...next, store: place.store })).findings).toEqual([])
})
