import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type ObjectKey, originalKey } from '#server/storage/object-store.ts'
import { payerNow } from '#server/storage/payer.ts'
import { behindProxy, everythingKept, read, sendUpload, uploadAccepted } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { jobsDone } from '#testing/jobs/jobs-done.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { trash } from '../maintenance/maintenance-jobs.ts'
import type { UploadAnswer } from './upload-answer.ts'

let served: TestApp
let owner: Person
beforeAll(async () => {
  served = await startApp(behindProxy)
  owner = await served.person()
})
afterAll(() => served[Symbol.asyncDispose]())
afterEach(() => vi.restoreAllMocks())

let seed = 0
const photograph = () => {
  seed += 1
  return picture({ width: 1_800, height: 1_200, seed })
}

/** Holds back late variants, and whatever else is rendered, until `release` is called. */
function holdLate() {
  const { decoder } = served.app.images
  const render = decoder.render.bind(decoder)
  const { promise, resolve } = Promise.withResolvers<void>()
  const spy = vi.spyOn(decoder, 'render').mockImplementation(async (...given) => {
    await promise
    return render(...given)
  })
  return {
    spy,
    async release() {
      resolve()
      await served.app.images.followed()
    },
  }
}

const upload = async () => uploadAccepted(served, owner, await photograph(), { headers: { 'x-visibility': 'public' } })
const rowOf = ({ sha256 }: UploadAnswer) => served.app.db.storedObject.findUniqueOrThrow({ where: { sha256 } })
const itemOf = ({ id }: UploadAnswer) => served.as(owner).image.get({ id })
const storedBytes = async () => Number((await served.app.db.siteStorage.findUniqueOrThrow({ where: { id: 1 } })).bytes)

async function purge(person: Person, id: string): Promise<void> {
  await served.as(person).image.delete({ id })
  await served.as(person).image.purge({ id })
  await jobsDone(served.app)
}

/** What a client sees of an answer. */
async function see(url: string, init?: RequestInit) {
  const answer = await read(url, null, init)
  const { headers } = answer
  const seen = { status: answer.status, size: (await answer.arrayBuffer()).byteLength }
  return { ...seen, cache: headers.get('cache-control'), etag: headers.get('etag'), all: headers }
}

describe('until a larger variant is made', () => {
  test('the next smaller one is sent, which no cache keeps and no range or condition names', async () => {
    const late = holdLate()
    const image = await upload()
    const { url } = image
    const small = await see(`${url}?w=400`)
    expect(small).toMatchObject({ status: 200, cache: expect.stringContaining('public, max-age='), etag: /^"/ })
    for (const width of [800, 1600]) {
      const standIn = { status: 200, size: small.size, cache: 'no-store', etag: null }
      const { all, ...seen } = await see(`${url}?w=${width}`)
      expect(seen).toEqual(standIn)
      expect([all.get('accept-ranges'), all.get('last-modified')]).toEqual(['none', null])
      const conditions: Record<string, string>[] = [
        { 'If-None-Match': small.etag ?? '' },
        { Range: 'bytes=0-9' },
        { 'If-Match': '"other"' },
      ]
      for (const headers of conditions) expect(await see(`${url}?w=${width}`, { headers })).toMatchObject(standIn)
      expect(await see(`${url}?w=${width}`, { method: 'HEAD' })).toMatchObject({ ...standIn, size: 0 })
    }
    expect(await see(url)).toMatchObject({ size: image.size, etag: `"${image.sha256}"` })
    expect(await itemOf(image)).toMatchObject({ variantsAwaited: true, variants: [{ url: `${url}?w=400` }] })

    // Guests' look-ups are kept for a second, and are told at once.
    await late.release()
    for (const width of [800, 1600]) {
      const made = await see(`${url}?w=${width}`)
      expect(made).toMatchObject({ status: 200, cache: expect.stringContaining('public, max-age='), etag: /^"/ })
      expect(made.size).toBeGreaterThan(small.size)
    }
    const widths = (await itemOf(image)).variants?.map(({ width }) => width)
    expect([(await itemOf(image)).variantsAwaited, widths]).toEqual([false, [400, 800, 1600]])
  })

  test('its bytes are reserved for the site and settled, and the quota counts the original', async () => {
    const late = holdLate()
    const person = await served.person()
    const before = await storedBytes()
    const image = await uploadAccepted(served, person, await photograph())
    const early = await rowOf(image)
    const sizes = (variants: unknown) =>
      Array.isArray(variants) ? variants.reduce<number>((sum, { size }) => sum + size, image.size) : Number.NaN
    expect(early).toMatchObject({ variantsDue: true, variantsReserved: 2 * (image.size - 1) })
    expect(await storedBytes()).toBe(before + sizes(early.variants) + early.variantsReserved)
    await late.release()
    const whole = await rowOf(image)
    expect(whole).toMatchObject({ variantsDue: false, variantsReserved: 0 })
    expect(await storedBytes()).toBe(before + sizes(whole.variants))
    expect(await served.app.images.readRoom(person.viewer.userId)).toMatchObject({ used: image.size })
  })

  test('making it reads nothing from the store, at the expense of the uploader', async () => {
    const late = holdLate()
    const { store } = served.app.images
    const image = await upload()
    const open = vi.spyOn(store, 'open')
    const payers: [ObjectKey, string, string | null][] = []
    const put = store.put.bind(store)
    vi.spyOn(store, 'put').mockImplementation((key, ...given) => {
      payers.push([key, payerNow().procedure, payerNow().subject])
      return put(key, ...given)
    })
    await late.release()
    expect(open).not.toHaveBeenCalled()
    expect(payers.map(([, ...payer]) => payer)).toEqual(Array(2).fill(['image.upload', owner.viewer.userId]))
    expect(payers.every(([key]) => key.startsWith(`${originalKey(image.sha256)}/`))).toBe(true)
  })
})

test('an image that is purged in between leaves nothing', async () => {
  const late = holdLate()
  const before = [await everythingKept(served), await storedBytes()]
  const { id } = await upload()
  await purge(owner, id)
  await late.release()
  await jobsDone(served.app)
  expect([await everythingKept(served), await storedBytes()]).toEqual(before)
})

test('a picture that cannot be rendered is left to a job, which makes the same', async () => {
  const [bytes, other] = [await photograph(), await served.person()]
  const whole = await uploadAccepted(served, other, bytes)
  await served.app.images.followed()
  const { variants } = await rowOf(whole)
  await purge(other, whole.id)
  vi.spyOn(served.app.images.decoder, 'render').mockResolvedValue({ outcome: 'too-costly' })
  const image = await uploadAccepted(served, owner, bytes)
  await served.app.images.followed()
  await jobsDone(served.app)
  expect(await rowOf(image)).toMatchObject({ variants, variantsDue: false, variantsReserved: 0 })
})

test('what a killed process has left gets a job a minute later, in case another process is making it', async () => {
  const { db, jobs } = served.app
  const image = await upload()
  await served.app.images.followed()
  const whole = await rowOf(image)
  await db.storedObject.update({ where: { sha256: image.sha256 }, data: { variantsDue: true, variantsReserved: 9 } })
  await jobs.send(null, trash, [{ data: {} }])
  const waits = () => db.$queryRaw`
    SELECT round(EXTRACT(EPOCH FROM "start_after" - "created_on"))::int AS "seconds" FROM "jobs"."job"
    WHERE "singleton_key" = ${image.sha256} AND "state" = 'created'`
  await expect.poll(waits).toEqual([{ seconds: 60 }])
  await db.$executeRaw`UPDATE "jobs"."job" SET "start_after" = now() WHERE "singleton_key" = ${image.sha256}`
  await jobsDone(served.app)
  expect(await rowOf(image)).toEqual(whole)
})

test('a site without room for what variants may take makes them before the answer', async () => {
  const root = await served.person({ role: 'superadmin' })
  const bytes = await photograph()
  const { id } = await uploadAccepted(served, root, bytes)
  await served.app.images.followed()
  const whole = await storedBytes()
  await purge(root, id)
  const setLimit = (limit: number | null) => served.as(root).budget.set({ period: 'standing', unit: 'stored', limit })
  await setLimit(whole - 1)
  expect((await sendUpload(served, root, bytes)).status).toBe(503)
  await setLimit(whole)
  const late = holdLate()
  void late.release()
  const image = await uploadAccepted(served, root, bytes)
  expect(late.spy.mock.calls.map(([, turn]) => turn?.lane)).toEqual([[root.viewer.userId]])
  expect(await rowOf(image)).toMatchObject({ variantsDue: false, variantsReserved: 0 })
  expect(await storedBytes()).toBe(whole)
  await setLimit(null)
})

test('an upload of what somebody else has puts as much as any other', async () => {
  const [bytes, other] = [await photograph(), await served.person()]
  const put = vi.spyOn(served.app.images.store, 'put')
  const counts: number[] = []
  for (const person of [owner, other]) {
    put.mockClear()
    await uploadAccepted(served, person, bytes)
    await served.app.images.followed()
    counts.push(put.mock.calls.length)
  }
  expect(counts).toEqual([4, 4])
})
