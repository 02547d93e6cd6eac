import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sendUpload, uploadAccepted } from '#testing/http/image-client.ts'
import { heicFile, heicGrid, heicWith } from '#testing/images/heic-files.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
beforeAll(async () => {
  served = await startApp()
})
afterAll(() => served[Symbol.asyncDispose]())

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('stores a HEIC as a JPEG, says so, and keeps the hash of the upload', async () => {
  const owner = await served.person()
  const answer = await uploadAccepted(served, owner, heicFile(), { name: 'IMG_1.HEIC' })
  expect(answer).toMatchObject({
    mime: 'image/jpeg',
    filename: 'IMG_1.jpg',
    convertedFrom: 'image/heic',
    isNew: true,
    width: 128,
    height: 96,
  })
  const stored = Buffer.from(await (await fetch(answer.url)).arrayBuffer())
  expect(hash(stored)).toBe(answer.sha256)
  expect(await sharp(stored).metadata()).toMatchObject({ format: 'jpeg', width: 128, height: 96 })
  expect(await served.as(owner).image.get({ id: answer.id })).toMatchObject({ isConverted: true })
  const row = await served.app.db.image.findUniqueOrThrow({ where: { id: answer.id } })
  expect(row).toMatchObject({ uploadSha256: hash(heicFile()), title: 'IMG_1', filename: 'IMG_1.jpg' })
})

test('the same HEIC again is the same image, restored from the trash, also if it converts to other bytes now', async () => {
  const owner = await served.person()
  const first = await uploadAccepted(served, owner, heicFile())
  expect(await uploadAccepted(served, owner, heicFile())).toEqual({ ...first, isNew: false })
  // As if an earlier version had converted it.
  const other = await uploadAccepted(served, owner, heicGrid(2, 2))
  await served.app.db.image.update({ where: { id: first.id }, data: { uploadSha256: null } })
  await served.app.db.image.update({ where: { id: other.id }, data: { uploadSha256: hash(heicWith([])) } })
  await served.as(owner).image.delete({ id: other.id })
  const put = vi.spyOn(served.app.images.store, 'put')
  await served.app.db.image.update({ where: { id: first.id }, data: { trashedAt: new Date() } })
  await served.as(owner).image.purge({ id: first.id })
  expect(await uploadAccepted(served, owner, heicWith([]))).toMatchObject({ id: other.id, isNew: false })
  expect(put).not.toHaveBeenCalled()
  put.mockRestore()
  expect((await served.as(owner).image.get({ id: other.id })).trashedAt).toBeNull()
})

test('for another owner, the same HEIC is new', async () => {
  const [one, other] = [await served.person(), await served.person()]
  const first = await uploadAccepted(served, one, heicFile())
  const second = await uploadAccepted(served, other, heicFile())
  expect(second).toMatchObject({ isNew: true, sha256: first.sha256 })
  expect(second.id).not.toBe(first.id)
})

test('a HEIC is recognized by its bytes, not by its name', async () => {
  const owner = await served.person()
  expect(await uploadAccepted(served, owner, heicFile(), { name: 'photo.png' })).toMatchObject({
    mime: 'image/jpeg',
    filename: 'photo.png',
    convertedFrom: 'image/heic',
  })
  const renamed = await sendUpload(served, owner, Buffer.from('hello'), { name: 'photo.heic' })
  expect(renamed.status).toBe(415)
})

test.each([
  ['a bomb', heicGrid(2, 2, { width: 30_000, height: 30_000 })],
  ['a truncated one', heicFile().subarray(0, -100)],
])('refuses %s with 422 and stores nothing', async (_, bytes) => {
  const owner = await served.person()
  expect((await sendUpload(served, owner, bytes, { name: 'IMG_1.HEIC' })).status).toBe(422)
  expect(await served.app.db.image.count({ where: { ownerId: owner.viewer.userId } })).toBe(0)
})
