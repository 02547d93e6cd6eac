import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createDiskStore } from '#server/storage/disk.ts'
import { type ObjectKey, type ObjectStore, originalKey, variantKey } from '#server/storage/object-store.ts'
import { openTempFolder } from '#server/storage/temp-folder.ts'
import { read, uploadAccepted } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { jobsDone } from '#testing/jobs/jobs-done.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { parseVariants } from '../storing/stored-variants.ts'
import type { UploadAnswer } from '../uploading/upload-answer.ts'
import { checkData } from './check-data.ts'
import { sweeping, trash } from './maintenance-jobs.ts'
import { makeVariants } from './make-variants.ts'
import { repairData } from './repair-data.ts'

let served: TestApp
let owner: Person
/** The app's store without its cache. */
let store: ObjectStore
beforeAll(async () => {
  served = await startApp()
  store = await createDiskStore(join(served.dataDir, 'objects'))
  owner = await served.person()
})
afterAll(() => served[Symbol.asyncDispose]())

const objectOf = ({ sha256 }: UploadAnswer) => served.app.db.storedObject.findUniqueOrThrow({ where: { sha256 } })

/** Returns the keys of an image's variants, the smallest first. */
async function variantKeys(image: UploadAnswer): Promise<ObjectKey[]> {
  const { variants } = await objectOf(image)
  return parseVariants(variants).map(({ width, sha256 }) => variantKey(image.sha256, width, sha256))
}

const bytesUnder = async (key: ObjectKey) => buffer((await store.open(key)).body)

async function makeImage(seed: number): Promise<{ image: UploadAnswer; first: ObjectKey; bytes: Buffer }> {
  const image = await uploadAccepted(served, owner, await picture({ width: 900, height: 600, seed, format: 'png' }))
  const [first] = await variantKeys(image)
  if (!first) throw new Error('The picture has no variant')
  return { image, first, bytes: await bytesUnder(first) }
}

test('re-creates a missing variant with the same bytes when a reader misses it', async () => {
  const { image, first, bytes } = await makeImage(1)
  const before = await objectOf(image)
  await served.app.images.store.delete(first)
  expect((await read(`${image.url}?w=400`)).status).toBe(500)
  await jobsDone(served.app)
  const answer = await read(`${image.url}?w=400`)
  expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(bytes)]).toEqual([200, true])
  expect(await objectOf(image)).toEqual(before)
})

test('re-creates a damaged variant within the hour after the data check and repair', async () => {
  const { image, first, bytes } = await makeImage(2)
  const { db, jobs } = served.app
  const file = join(served.dataDir, 'objects', first.slice(0, 2), first.slice(2, 4), first.replace('/', '.'))
  await writeFile(file, Buffer.alloc(bytes.length))
  const { findings } = await checkData({ db, store })
  expect(findings).toEqual([{ kind: 'corrupt', key: first }])
  expect(await repairData({ db, store }, findings)).toMatchObject({ 'variants left to be made anew': 1 })
  expect(await objectOf(image)).toMatchObject({ variantsDue: true })
  await jobs.send(null, trash, [{ data: {} }])
  await jobsDone(served.app)
  expect((await bytesUnder(first)).equals(bytes)).toBe(true)
  expect((await checkData({ db, store })).findings).toEqual([])
})

test('re-creates a missing variant within the hour after the sweep', async () => {
  const { image, first, bytes } = await makeImage(5)
  const { db, jobs } = served.app
  const before = await objectOf(image)
  await db.storedObject.update({
    where: { sha256: image.sha256 },
    data: { createdAt: new Date(Date.now() - 2 * 24 * 60 * 60_000) },
  })
  await store.delete(first)
  await jobs.send(null, sweeping, [{ data: {} }])
  await jobsDone(served.app)
  await jobs.send(null, trash, [{ data: {} }])
  await jobsDone(served.app)
  expect((await bytesUnder(first)).equals(bytes)).toBe(true)
  expect(await objectOf(image)).toEqual({ ...before, createdAt: expect.any(Date) })
})

test('retries a variant that cannot be created in a single job, however often it is missed', async () => {
  const { image, first } = await makeImage(6)
  const { db, images } = served.app
  const original = originalKey(image.sha256)
  const kept = await bytesUnder(original)
  await Promise.all([first, original].map((key) => images.store.delete(key)))
  const jobs = () =>
    db.$queryRaw`SELECT "state"::text, COUNT(*)::int FROM "jobs"."job" WHERE "singleton_key" = ${image.sha256} GROUP BY 1`
  await images.variantLost(image.sha256)
  await expect.poll(jobs).toEqual([{ state: 'retry', count: 1 }])
  for (let times = 0; times < 3; times += 1) {
    await images.variantLost(image.sha256)
    await served.app.jobs.send(null, trash, [{ data: {} }])
    await jobsDone(served.app)
  }
  expect(await jobs()).toEqual([{ state: 'retry', count: 1 }])
  const path = join(served.dataDir, 'kept')
  await writeFile(path, kept)
  await store.put(original, { path }, kept.length)
  await db.$executeRaw`UPDATE "jobs"."job" SET "start_after" = now() WHERE "singleton_key" = ${image.sha256}`
  served.app.jobs.wake('variants')
  await expect.poll(async () => (await objectOf(image)).variantsDue).toBe(false)
})

test('creates a variant in a single job, however often it is missed in the meantime', async () => {
  const { image, first } = await makeImage(8)
  const { db, images } = served.app
  await images.store.delete(first)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const open = images.store.open.bind(images.store)
  using opened = vi.spyOn(images.store, 'open').mockImplementation(async (...given) => {
    await released
    return open(...given)
  })
  const states = () => db.$queryRaw`SELECT "state"::text FROM "jobs"."job" WHERE "singleton_key" = ${image.sha256}`
  await images.variantLost(image.sha256)
  await expect.poll(() => opened.mock.calls.length).toBe(1)
  for (let times = 0; times < 3; times += 1) await images.variantLost(image.sha256)
  expect(await states()).toEqual([{ state: 'active' }])
  release()
  await jobsDone(served.app)
  expect(await states()).toEqual([{ state: 'completed' }])
  expect((await objectOf(image)).variantsDue).toBe(false)
})

test('retries a failed variant the next day, not when it is missed and not every hour', async () => {
  const { image, first } = await makeImage(7)
  const { db, images, jobs } = served.app
  await Promise.all([first, originalKey(image.sha256)].map((key) => images.store.delete(key)))
  const states = () =>
    db.$queryRaw`SELECT "state"::text FROM "jobs"."job" WHERE "singleton_key" = ${image.sha256} ORDER BY "created_on"`
  await images.variantLost(image.sha256)
  await expect.poll(states).toEqual([{ state: 'retry' }])
  await db.$executeRaw`
    UPDATE "jobs"."job" SET "state" = 'failed', "completed_on" = clock_timestamp() - interval '23 hours'
    WHERE "singleton_key" = ${image.sha256}`
  const missed = async () => {
    await images.variantLost(image.sha256)
    await jobs.send(null, trash, [{ data: {} }])
    await jobsDone(served.app)
  }
  await missed()
  expect(await states()).toEqual([{ state: 'failed' }])
  await db.$executeRaw`
    UPDATE "jobs"."job" SET "completed_on" = clock_timestamp() - interval '24 hours'
    WHERE "singleton_key" = ${image.sha256}`
  await missed()
  await expect.poll(states).toEqual([{ state: 'failed' }, { state: 'retry' }])
})

test('concurrent runs create the same variants, and none if they are not due', async () => {
  const { image, first, bytes } = await makeImage(3)
  const { db, images } = served.app
  const temp = await openTempFolder(join(served.dataDir, 'tmp'))
  const make = () =>
    makeVariants({ ...images, db, temp, unneeded: async () => undefined }, image.sha256, new AbortController().signal)
  expect(await make()).toBe(null)
  const before = await objectOf(image)
  await images.store.delete(first)
  await db.storedObject.update({ where: { sha256: image.sha256 }, data: { variants: [], variantsDue: true } })
  const made = await Promise.all([make(), make(), make()])
  expect(made).toContain(3)
  expect((await bytesUnder(first)).equals(bytes)).toBe(true)
  expect(await objectOf(image)).toEqual(before)
})

test('leaves nothing if the image is purged in the meantime', async () => {
  const { image } = await makeImage(4)
  const { db, images } = served.app
  const temp = await openTempFolder(join(served.dataDir, 'tmp'))
  await db.storedObject.update({ where: { sha256: image.sha256 }, data: { variantsDue: true } })
  const purge = async () => {
    await served.as(owner).image.delete({ id: image.id })
    await served.as(owner).image.purge({ id: image.id })
  }
  const decoder = {
    ...images.decoder,
    decode: async (...given: Parameters<typeof images.decoder.decode>) => {
      const decoded = await images.decoder.decode(...given)
      await purge()
      return decoded
    },
  }
  const parts = { store: images.store, decoder, db, temp, unneeded: async () => undefined }
  expect(await makeVariants(parts, image.sha256, new AbortController().signal)).toBe(null)
  await jobsDone(served.app)
  expect(await Array.fromAsync(images.store.list(image.sha256))).toEqual([])
})
