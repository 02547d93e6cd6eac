import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uploadAccepted } from '#testing/http/image-client.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
beforeAll(async () => {
  served = await startApp()
})
afterAll(() => served[Symbol.asyncDispose]())

let seed = 0
/** A photograph with date, camera and place. */
function photo(): Promise<Buffer> {
  seed += 1
  return sharp({ create: { width: 16, height: 16, channels: 3, background: { r: seed, g: 0, b: 0 } } })
    .withExif({
      IFD0: { Make: 'Canon', Model: 'EOS R6' },
      IFD2: { DateTimeOriginal: '2024:05:01 18:00:00' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
    })
    .png()
    .toBuffer()
}

const KEPT = { takenAt: '2024-05-01T18:00:00.000Z', camera: 'Canon EOS R6' }
const NONE = { takenAt: null, camera: null }

test('details of photographs are kept only for an owner who has chosen so, and deleted on request', async () => {
  const [person, other] = [await served.person(), await served.person()]
  const { account, image } = served.as(person)
  const before = await uploadAccepted(served, person, await photo())
  expect(await image.get({ id: before.id })).toMatchObject(NONE)
  expect(await account.photoDetails()).toEqual({ keeps: false, kept: 0 })

  expect(await account.setPhotoDetails({ keeps: true })).toEqual({ keeps: true })
  const kept = await uploadAccepted(served, person, await photo())
  expect(await image.get({ id: kept.id })).toMatchObject(KEPT)
  expect(await served.as(other).image.get({ id: kept.id })).toMatchObject(KEPT)
  const foreign = await uploadAccepted(served, other, await photo())
  expect(await served.as(other).image.get({ id: foreign.id })).toMatchObject(NONE)
  expect(await account.photoDetails()).toEqual({ keeps: true, kept: 1 })

  await account.setPhotoDetails({ keeps: false })
  const after = await uploadAccepted(served, person, await photo())
  expect(await image.get({ id: after.id })).toMatchObject(NONE)
  expect(await image.get({ id: kept.id })).toMatchObject(KEPT)
  expect(await account.forgetPhotoDetails()).toEqual({ forgotten: 1 })
  expect(await image.get({ id: kept.id })).toMatchObject(NONE)
  expect(await account.photoDetails()).toEqual({ keeps: false, kept: 0 })
})

test('the stored bytes have none of it', async () => {
  const person = await served.person()
  await served.as(person).account.setPhotoDetails({ keeps: true })
  const { url } = await uploadAccepted(served, person, await photo())
  const stored = Buffer.from(await (await fetch(url)).arrayBuffer())
  expect((await sharp(stored).metadata()).exif).toBeUndefined()
  for (const word of ['Canon', '2024:05:01']) expect(stored.includes(word)).toBe(false)
})
