import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sentBytes } from '#server/images/limits.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { read } from '#testing/http/image-client.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { type BucketApp, startBucketApp } from '#testing/sluice/bucket-app.ts'
import type { Person } from '#testing/sluice/sluice-app.ts'

const SMALL = 3_000_000
const LARGE = 6_000_000
/** What a bucket may have sent beyond what was asked of it when its connection is cut. */
const CHUNK = 128 * 1024

let served: BucketApp
let owner: Person
beforeAll(async () => {
  served = await startBucketApp()
  owner = await served.person()
})
afterAll(() => served[Symbol.asyncDispose]())

const imageOf = (size: number) => storeImageFor(served, owner, { bytes: randomBytes(size) })
const gets = () => served.s3.requests.get('get') ?? 0
const sets = compileRuleSets('test', sentBytes)
let last = 0
const newAddress = () => `198.51.100.${++last}`

/** Bytes that an address has been charged. */
async function chargedTo(address: string): Promise<number> {
  const { rules } = await served.app.limiter.peek([{ sets, caller: { address, userId: null, shared: false } }])
  return rules[0] ? rules[0].limit - rules[0].remaining : Number.NaN
}

/** Reads a range from an address of its own: the status, the bytes that came, were charged, and left the bucket. */
async function costOf(image: StoredImage, range: string, address = newAddress()) {
  const before = served.s3.bytes.out
  const ended = vi.spyOn(served.app.usage, 'sent')
  const answer = await read(image.url, null, { headers: { Range: range, 'X-Forwarded-For': address } })
  const { byteLength: came } = await answer.arrayBuffer()
  await expect.poll(() => ended).toHaveBeenCalledTimes(1)
  ended.mockRestore()
  await expect.poll(() => served.s3.open).toBe(0)
  return { status: answer.status, came, charged: await chargedTo(address), fetched: served.s3.bytes.out - before }
}

const tiny = Array.from({ length: 1_000 }, (_, at) => `${at * 2_000}-${at * 2_000}`)

describe.each([
  ['the last byte', 'bytes=-1', 206, 1],
  ['one byte', 'bytes=1000000-1000000', 206, 1],
  ['the first half', 'bytes=0-2999999', 206, 3_000_000],
  ['two bytes a megabyte apart', 'bytes=0-0,1000000-1000000', 200, LARGE],
  ['the first and the last byte', 'bytes=0-0,-1', 200, LARGE],
  ['a thousand ranges', `bytes=${tiny}`, 200, LARGE],
])('%s', (_, range, status, span) => {
  test('of a large object is charged, and read, as it is sent, whether it is cached or not', async () => {
    const image = await imageOf(LARGE)
    const cold = await costOf(image, range)
    expect(cold).toEqual({ status, came: span, charged: span, fetched: span })
    expect(await costOf(image, 'bytes=0-')).toMatchObject({ came: LARGE, charged: LARGE })
    expect(await costOf(image, range)).toEqual({ ...cold, fetched: 0 })
  })

  test('of an object of at most 4 MB is charged the whole, which is read once, whether it is cached or not', async () => {
    const image = await imageOf(SMALL)
    const cold = await costOf(image, range)
    expect(cold).toEqual({ status, came: Math.min(span, SMALL), charged: SMALL, fetched: SMALL })
    expect(await costOf(image, range)).toEqual({ ...cold, fetched: 0 })
    expect(await costOf(image, 'bytes=0-')).toMatchObject({ came: SMALL, charged: SMALL, fetched: 0 })
  })
})

test.each([5_000, SMALL])('the first 62 who ask for a byte of %i make the bucket send them once', async (size) => {
  const image = await imageOf(size)
  const before = { gets: gets(), out: served.s3.bytes.out }
  const range = { headers: { Range: 'bytes=7-7' } }
  const answers = await Promise.all(Array.from({ length: 62 }, () => read(image.url, null, range)))
  for (const answer of answers) expect((await answer.arrayBuffer()).byteLength).toBe(1)
  for (let at = 0; at < 62; at += 1) expect((await read(image.url, null, range)).status).toBe(206)
  await expect.poll(() => served.s3.open).toBe(0)
  expect([gets() - before.gets, served.s3.bytes.out - before.out]).toEqual([1, size])
})

describe('a client that leaves', () => {
  /** Asks for an image, and leaves when its head has come. */
  async function leave(url: string, address: string, headers: Record<string, string> = {}): Promise<void> {
    const { port, pathname } = new URL(url)
    const from = { host: '127.0.0.1', port, path: pathname, headers: { 'X-Forwarded-For': address, ...headers } }
    const asked = request(from).on('error', () => undefined)
    asked.end()
    const [answer]: IncomingMessage[] = await once(asked, 'response')
    answer?.on('error', () => undefined)
    asked.destroy()
  }

  test.each<Record<string, string>>([{}, { Range: 'bytes=0-0' }])(
    'an object of at most 4 MB is charged the whole, which is fetched to its end and kept: %j',
    async (headers) => {
      const image = await imageOf(SMALL)
      const before = { gets: gets(), out: served.s3.bytes.out }
      served.s3.fault = () => ({ paceMs: 1 })
      const addresses = Array.from({ length: 5 }, newAddress)
      await Promise.all(addresses.map((address) => leave(image.url, address, headers)))
      served.s3.fault = () => null
      for (const address of addresses) await expect.poll(() => chargedTo(address)).toBe(SMALL)
      await expect.poll(() => served.s3.open).toBe(0)
      expect([gets() - before.gets, served.s3.bytes.out - before.out]).toEqual([1, SMALL])
      expect(await costOf(image, 'bytes=-1')).toEqual({ status: 206, came: 1, charged: SMALL, fetched: 0 })
    },
  )

  test('a large object is charged what it asked for, and the bucket sends no more than that', async () => {
    const image = await imageOf(LARGE)
    const [whole, part] = [newAddress(), newAddress()]
    const before = served.s3.bytes.out
    await leave(image.url, whole)
    await expect.poll(() => served.s3.open).toBe(0)
    expect(served.s3.bytes.out - before).toBeLessThanOrEqual(LARGE)
    await leave(image.url, part, { Range: 'bytes=0-999999' })
    await expect.poll(() => served.s3.open).toBe(0)
    expect(await chargedTo(whole)).toBe(LARGE)
    expect(await chargedTo(part)).toBe(1_000_000)
    expect(served.s3.bytes.out - before).toBeLessThanOrEqual(LARGE + 1_000_000 + CHUNK)
  })
})

test('nobody is charged for bytes of a bucket that fails before the head', async () => {
  const image = await imageOf(SMALL)
  const address = newAddress()
  const refused = { answer: { status: 403, headers: {}, body: '', at: 'head' } } as const
  served.s3.fault = (operation) => (operation === 'get' ? refused : null)
  const answer = await read(image.url, null, { headers: { 'X-Forwarded-For': address } })
  served.s3.fault = () => null
  expect(answer.status).toBeGreaterThanOrEqual(500)
  await answer.arrayBuffer()
  await expect.poll(() => chargedTo(address)).toBe(0)
})
