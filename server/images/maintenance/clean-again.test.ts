import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CLEANING_VERSION } from '#server/cleaning/cleaning.ts'
import { originalKey } from '#server/storage/object-store.ts'
import { read, uploadAccepted } from '#testing/http/image-client.ts'
import { animation, picture } from '#testing/images/pictures.ts'
import { makeGif } from '#testing/images/tainted-gif.ts'
import { jobsDone } from '#testing/jobs/jobs-done.ts'
import { storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { checkData, recount } from './check-data.ts'
import { CleaningJobs, cleaning } from './cleaning-jobs.ts'
import { trash } from './maintenance-jobs.ts'

let served: TestApp
let owner: Person
let queue: CleaningJobs
beforeAll(async () => {
  served = await startApp()
  owner = await served.person()
  queue = new CleaningJobs(served.app.db, served.app.jobs)
})
afterAll(() => served[Symbol.asyncDispose]())

const createdAt = new Date('2026-01-02T03:04:05Z')

/** Stores an image as earlier rules did, which kept these bytes. */
async function storeOld(
  bytes: Buffer,
  as: Person,
  options: { format: 'gif' | 'png'; width?: number; height?: number },
) {
  const { db } = served.app
  const { format, ...size } = options
  const image = await storeImageFor(served, as, { bytes, format, filename: `photo.${format}`, createdAt })
  await db.image.updateMany({ where: { id: image.id }, data: size })
  await makeOld(image.sha256)
  await recount(db, as.viewer.userId)
  return image
}

const makeOld = (sha256: string) => served.app.db.storedObject.update({ where: { sha256 }, data: { cleaning: 0 } })

async function cleanAll() {
  await queue.addDue()
  await jobsDone(served.app)
}

const failures = async () => {
  const { items } = await served.as(await served.person({ role: 'admin' })).job.list()
  return items.filter(({ name }) => name === cleaning.name)
}

/** A PNG whose profile says when it was made, which earlier rules kept. */
async function oldPng(seed: number): Promise<Buffer> {
  const image = sharp(await picture({ format: 'png', width: 40, height: 30, seed }))
  return image.withIccProfile('p3').png().toBuffer()
}

test('replaces the bytes of an image at its address, for everybody who has them', async () => {
  const { db } = served.app
  const [other, bytes] = [await served.person(), await oldPng(1)]
  const image = await storeOld(bytes, owner, { format: 'png', width: 40, height: 30 })
  const { sha256, size } = await db.image.findUniqueOrThrow({ where: { id: image.id } })
  const second = await db.image.create({
    data: { ...(await rowOf(image.id)), id: undefined, slug: 'another-address-of-22c', ownerId: other.viewer.userId },
  })
  await recount(db, other.viewer.userId)
  const before = await read(image.url)
  expect(Buffer.from(await before.arrayBuffer()).equals(bytes)).toBe(true)

  await cleanAll()

  const row = await rowOf(image.id)
  expect(row.sha256).not.toBe(sha256)
  expect(row).toMatchObject({ slug: image.slug, createdAt: (await rowOf(second.id)).createdAt })
  expect((await rowOf(second.id)).sha256).toBe(row.sha256)
  const after = await read(image.url)
  const clean = Buffer.from(await after.arrayBuffer())
  expect([clean.length, after.headers.get('etag')]).toEqual([row.size, `"${row.sha256}"`])
  expect(before.headers.get('last-modified')).toBe(createdAt.toUTCString())
  expect(after.headers.get('last-modified')).toBe(row.replacedAt?.toUTCString())
  // The pixels are the same, and the old bytes are gone.
  expect((await sharp(clean).raw().toBuffer()).equals(await sharp(bytes).raw().toBuffer())).toBe(true)
  expect(await served.app.images.store.readSize(originalKey(sha256))).toBeNull()
  expect(await db.storedObject.findUnique({ where: { sha256 } })).toBeNull()
  expect(await db.storedObject.findUniqueOrThrow({ where: { sha256: row.sha256 } })).toMatchObject({
    ...{ state: 'live', holds: 0, cleaning: CLEANING_VERSION, refusal: null, size: row.size },
  })
  expect(row.size).not.toBe(size)
  expect((await checkData({ db, store: served.app.images.store })).findings).toEqual([])
})

test('reads each object once per version of the rules', async () => {
  const { url, sha256 } = await uploadAccepted(served, owner, await picture({ format: 'png', seed: 2 }))
  await makeOld(sha256)
  const decoded = served.app.images.decoder.jobs
  await cleanAll()
  expect(served.app.images.decoder.jobs - decoded).toBe(1)
  await cleanAll()
  expect(served.app.images.decoder.jobs - decoded).toBe(1)
  expect((await read(url)).headers.get('etag')).toBe(`"${sha256}"`)
})

test('corrects the size of an image whose bytes stay, and re-creates its variants', async () => {
  const gif = await animation('gif', { frames: 2, width: 600, height: 300 })
  gif.writeUInt16LE(640, 6)
  gif.writeUInt16LE(480, 8)
  const { id, sha256 } = await uploadAccepted(served, owner, gif)
  // As earlier rules read it.
  await served.app.db.image.update({ where: { id }, data: { width: 600, height: 300 } })
  await makeOld(sha256)
  await cleanAll()
  expect(await rowOf(id)).toMatchObject({ sha256, width: 640, height: 480 })
  expect(await objectOf(sha256)).toMatchObject({ variantsDue: true })
  await served.app.jobs.send(null, trash, [{ data: {} }])
  await jobsDone(served.app)
  expect(await objectOf(sha256)).toMatchObject({ variantsDue: false, cleaning: CLEANING_VERSION })
})

test('keeps a file that is refused now, and lists it as a failure without reading it again', async () => {
  const corner = { width: 1, height: 1 }
  const gif = makeGif([corner, { ...corner, x: 9_999, y: 9_999 }], { width: 10_000, height: 10_000 })
  const image = await storeOld(gif, owner, { format: 'gif', width: 1, height: 1 })
  await cleanAll()
  const expected = `the current cleaning rules refuse a stored file (too-many-pixels); images: ${image.id}`
  expect(await failures()).toMatchObject([{ state: 'retrying', error: expected }])
  expect(await objectOf(image.sha256)).toMatchObject({ state: 'live', refusal: 'too-many-pixels' })
  expect(Buffer.from(await (await read(image.url)).arrayBuffer()).equals(gif)).toBe(true)
  const open = vi.spyOn(served.app.images.store, 'open')
  const superadmin = await served.person({ role: 'superadmin' })
  for (const { id } of await failures()) await served.as(superadmin).job.retry({ id })
  await jobsDone(served.app)
  expect(open).not.toHaveBeenCalled()
  open.mockRestore()
  expect(await failures()).toMatchObject([{ error: expected }])
  // Once its image is deleted, nothing is listed any more.
  await served.as(owner).image.delete({ id: image.id })
  await served.as(owner).image.purge({ id: image.id })
  for (const { id } of await failures()) await served.as(superadmin).job.retry({ id })
  await jobsDone(served.app)
  expect(await failures()).toEqual([])
})

test('gives two images of an owner the same bytes, each at its address', async () => {
  const { db, images } = served.app
  const bytes = await oldPng(3)
  const clean = await uploadAccepted(served, owner, bytes)
  const image = await storeOld(bytes, owner, { format: 'png', width: 40, height: 30 })
  await cleanAll()
  expect(await failures()).toEqual([])
  expect((await rowOf(image.id)).sha256).toBe(clean.sha256)
  const sent = await Promise.all(
    [clean, image].map(async ({ url }) => Buffer.from(await (await read(url)).arrayBuffer())),
  )
  expect(sent[0]?.equals(sent[1] ?? Buffer.alloc(0))).toBe(true)
  // The file, sent again, is the older one.
  expect((await uploadAccepted(served, owner, bytes)).id).toBe(image.id)
  await served.as(owner).image.delete({ id: clean.id })
  await served.as(owner).image.purge({ id: clean.id })
  await jobsDone(served.app)
  expect((await read(image.url)).status).toBe(200)
  expect((await checkData({ db, store: images.store })).findings).toEqual([])
})

test('cleans more objects than are queued at a time', async () => {
  const images = []
  for (let seed = 10; seed < 14; seed += 1) {
    images.push(await storeOld(await oldPng(seed), owner, { format: 'png', width: 40, height: 30 }))
  }
  const small = new CleaningJobs(served.app.db, served.app.jobs, 1)
  await small.addDue()
  await jobsDone(served.app)
  const { db } = served.app
  expect(await db.storedObject.count({ where: { cleaning: { lt: CLEANING_VERSION } } })).toBe(0)
  expect(await db.image.count({ where: { sha256: { in: images.map(({ sha256 }) => sha256) } } })).toBe(0)
})

const rowOf = (id: string) => served.app.db.image.findUniqueOrThrow({ where: { id } })
const objectOf = (sha256: string) => served.app.db.storedObject.findUniqueOrThrow({ where: { sha256 } })
