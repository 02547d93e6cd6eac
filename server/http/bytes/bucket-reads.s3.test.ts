import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { published } from '#server/budgets/bill/prices.ts'
import { sentBytes } from '#server/images/limits.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { originalKey } from '#server/storage/object-store.ts'
import { read } from '#testing/http/image-client.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import type { CountedFault } from '#testing/servers/counting-s3.ts'
import { type BucketApp, startBucketApp } from '#testing/sluice/bucket-app.ts'
import type { Person } from '#testing/sluice/sluice-app.ts'
import { BUFFERS, cutAfter, refusal } from '#testing/storage/metered-scene.ts'

let served: BucketApp
let owner: Person
beforeAll(async () => {
  served = await startBucketApp()
  owner = await served.person()
})
afterAll(() => served[Symbol.asyncDispose]())

const gets = () => served.s3.requests.get('get') ?? 0
const cached = () => served.app.budgets.cacheFigures(published.s3)?.objects ?? Number.NaN
const imageOf = (size: number) => storeImageFor(served, owner, { bytes: randomBytes(size) })
const heal = () => {
  served.s3.fault = () => null
}
/** Returns the status, and whether all announced bytes arrived. */
async function outcome(url: string) {
  const answer = await read(url)
  const body = await answer.arrayBuffer().catch(() => null)
  return { status: answer.status, isWhole: answer.status === 200 && body !== null }
}

describe.each([5_000, 2_000_000])('an image of %i bytes whose read from the bucket', (size) => {
  const flipped = (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 7 ? byte ^ 4 : byte)))
  const faults: [string, CountedFault, { corrupt: number }][] = [
    ['is truncated', { spoil: (bytes) => bytes.subarray(0, size - 1) }, { corrupt: 1 }],
    ['has a bit flipped', { spoil: flipped }, { corrupt: 1 }],
    ['is another object', { spoil: () => randomBytes(size) }, { corrupt: 1 }],
    ['is too long', { spoil: (bytes) => Buffer.concat([bytes, bytes]) }, { corrupt: 1 }],
    ['breaks off', cutAfter(size - 1), { corrupt: 0 }],
    ['meets 503 SlowDown', refusal(503, 'SlowDown'), { corrupt: 0 }],
  ]
  test.each(faults)(
    '%s never arrives whole, is not cached, counts once, and is whole on the next read',
    async (_, fault, raised) => {
      const image = await imageOf(size)
      const before = { alarms: served.app.alarms.counts(), cached: cached(), gets: gets() }
      served.s3.fault = (operation) => (operation === 'get' ? fault : null)
      const { status, isWhole } = await outcome(image.url)
      expect(isWhole).toBe(false)
      // A response that has begun is cut.
      if (status !== 200) expect(status).toBe(raised.corrupt ? 500 : 503)
      heal()
      const alarms = { missing: before.alarms.missing, corrupt: before.alarms.corrupt + raised.corrupt }
      await expect.poll(() => served.app.alarms.counts()).toEqual(alarms)
      expect(await (await fetch(`${served.origin}/readyz`)).json()).toMatchObject({ alarms })
      expect(gets() - before.gets).toBe(fault.answer ? 3 : 1)
      expect(served.app.images.store.held?.(originalKey(image.sha256))).toBeNull()
      expect(cached()).toBe(before.cached)
      const again = Buffer.from(await (await read(image.url)).arrayBuffer())
      expect(again.equals(image.bytes)).toBe(true)
      await expect.poll(() => cached()).toBe(before.cached + 1)
      await served.compare('but for buffers')
    },
  )

  test('is slow arrives whole for all concurrent clients, from a single read', async () => {
    const image = await imageOf(size)
    const before = gets()
    served.s3.fault = () => ({ paceMs: 1 })
    const answers = await Promise.all(Array.from({ length: 5 }, async () => (await read(image.url)).arrayBuffer()))
    heal()
    for (const bytes of answers) expect(Buffer.from(bytes).equals(image.bytes)).toBe(true)
    expect(gets() - before).toBe(1)
  })
})

describe('a client that disconnects', () => {
  /** Half of it exceeds the system's buffers. */
  const SIZE = 24_000_000
  const sets = compileRuleSets('test', sentBytes)

  async function chargedTo(address: string): Promise<number> {
    const caller = { address, userId: null, shared: false }
    const { rules } = await served.app.limiter.peek([{ sets, caller }])
    return rules[0] ? rules[0].limit - rules[0].remaining : Number.NaN
  }

  /** Disconnects after this many bytes. Returns how many arrived. */
  async function readUntil(url: string, address: string, bytes: number): Promise<number> {
    const { port, pathname } = new URL(url)
    const asked = request({ host: '127.0.0.1', port, path: pathname, headers: { 'X-Forwarded-For': address } })
    asked.on('error', () => undefined).end()
    const [answer]: IncomingMessage[] = await once(asked, 'response')
    let received = 0
    answer
      ?.on('error', () => undefined)
      .on('data', ({ length }: Buffer) => {
        received += length
        if (received >= bytes) asked.destroy()
      })
    await once(asked, 'close')
    return received
  }

  test.each([
    [0.01, false],
    [0.5, true],
    [0.99, true],
  ])(
    'at %d of a large image is charged all of it; the rest is fetched if half has arrived: %s',
    async (share, isKept) => {
      const image = await imageOf(SIZE)
      const before = { cached: cached(), gets: gets(), out: served.s3.bytes.out }
      const address = `198.51.100.${100 * share}`
      const sent = vi.spyOn(served.app.usage, 'sent')
      const received = await readUntil(image.url, address, share * SIZE)
      await expect.poll(() => sent).toHaveBeenCalledTimes(1)
      const [[, , told] = []] = sent.mock.calls
      expect(told).toBeGreaterThanOrEqual(Math.min(received, SIZE) - 128 * 1024)
      expect(told).toBeLessThanOrEqual(received + BUFFERS)
      await expect.poll(() => chargedTo(address)).toBe(SIZE)
      await expect.poll(() => cached() - before.cached).toBe(isKept ? 1 : 0)
      await served.compare('but for buffers')
      if (!isKept) expect(served.s3.bytes.out - before.out).toBeLessThan(SIZE / 2 + BUFFERS)
      const again = Buffer.from(await (await read(image.url)).arrayBuffer())
      expect(again.equals(image.bytes)).toBe(true)
      expect(gets() - before.gets).toBe(isKept ? 1 : 2)
    },
  )
})

/** Reads an image until it is held: a cache that has just had trouble with a busy disk keeps nothing for a moment. */
async function untilHeld(image: StoredImage, reader: Person | null = null): Promise<void> {
  const isHeld = async () => {
    const answer = await read(image.url, reader)
    await answer.arrayBuffer()
    expect(answer.status).toBe(200)
    return served.app.images.store.held?.(originalKey(image.sha256)) !== null
  }
  await expect.poll(isHeld, { timeout: 90_000 }).toBe(true)
}

test('a cached private image is sent to nobody else, with or without conditions', async () => {
  const image = await storeImageFor(served, owner, { visibility: 'private' })
  await untilHeld(image, owner)
  const before = new Map(served.s3.requests)
  const conditions: Record<string, string>[] = [{}, { 'If-None-Match': `"${image.sha256}"` }, { Range: 'bytes=0-9' }]
  for (const other of [null, await served.person(), await served.person({ role: 'admin' })]) {
    for (const headers of conditions) {
      const answer = await read(image.url, other, { headers })
      expect([answer.status, await answer.text()]).toEqual([404, 'Image not found.\n'])
    }
  }
  expect(served.s3.requests).toEqual(before)
})

test('a frequently read public image is hidden at once when it becomes private or is moved to trash', async () => {
  for (const act of ['update', 'delete'] as const) {
    const image = await storeImageFor(served, owner)
    for (let time = 0; time < 3; time += 1) expect((await read(image.url)).status).toBe(200)
    await untilHeld(image)
    if (act === 'update') await served.as(owner).image.update({ id: image.id, visibility: 'private' })
    else await served.as(owner).image.delete({ id: image.id })
    const { slug } = await served.app.db.image.findUniqueOrThrow({ where: { id: image.id } })
    expect(served.app.images.store.held?.(originalKey(image.sha256))).not.toBeNull()
    for (const url of [image.url, `${served.origin}/i/${slug}.png`]) {
      expect((await read(url)).status).toBe(404)
      expect((await read(url, null, { headers: { 'If-None-Match': `"${image.sha256}"` } })).status).toBe(404)
    }
  }
})

test('a thousand widths of an image share its few variants, each read and cached once', async () => {
  const variants = { 400: randomBytes(400), 800: randomBytes(800), 1600: randomBytes(1_600) }
  const image = await storeImageFor(served, owner, { variants })
  const before = { gets: gets(), cached: cached() }
  const widths = Array.from({ length: 1_000 }, (_, at) => 1 + at * 10)
  const sizes = new Set<number>()
  for (let at = 0; at < widths.length; at += 50) {
    const some = widths.slice(at, at + 50).map(async (width) => (await read(`${image.url}?w=${width}`)).arrayBuffer())
    for (const { byteLength } of await Promise.all(some)) sizes.add(byteLength)
  }
  expect([...sizes]).toEqual([400, 800, 1_600])
  expect(gets() - before.gets).toBe(3)
  await expect.poll(() => cached() - before.cached).toBe(3)
})
