import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HttpFault } from '#testing/servers/http-faults.ts'
import { makeS3Scene, type S3Scene, s3Error } from '#testing/servers/s3-scene.ts'
import { listCacheFiles } from '#testing/storage/cache-scene.ts'
import { type CachedStore, createCachedStore } from './cached.ts'
import { BudgetSpent, type Meter, unmetered } from './meter.ts'
import { ObjectCorrupt, type ObjectKey, type ObjectStore, ObjectStoreUnavailable } from './object-store.ts'
import { createS3Store } from './s3/s3.ts'

let scene: S3Scene
let folder: string
const opened: CachedStore[] = []
beforeEach(async () => {
  scene = await makeS3Scene()
  folder = await mkdtemp(join(tmpdir(), 'sluice-cached-faults-'))
})
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  await rm(folder, { recursive: true })
  await scene[Symbol.asyncDispose]()
})

function cached(inner: ObjectStore): CachedStore {
  const trouble = (error: unknown) => expect.unreachable(String(error))
  const store = createCachedStore(inner, { folder, maxBytes: 100e6, trouble })
  opened.push(store)
  return store
}
const gets = () => scene.proxy.requests.filter(({ method }) => method === 'GET').length
const heal = () => {
  scene.proxy.fault = () => null
}
const flipped = (bytes: Buffer) => Buffer.from(bytes.map((byte, index) => (index === 7 ? byte ^ 4 : byte)))
const withBody = (change: (body: Buffer) => Buffer): HttpFault => ({
  received: ({ status, headers, body }) => {
    const changed = change(body)
    return { status, headers: { ...headers, 'content-length': String(changed.length) }, body: changed }
  },
})

/** Reads an object so that it is cached; the reader itself need not wait for that. */
async function keep(store: CachedStore, key: ObjectKey): Promise<void> {
  await buffer((await store.open(key)).body)
  await expect.poll(() => store.figures().objects).toBe(1)
}

/** Returns how a read ends, and whether as many bytes as announced arrived. */
async function outcome(store: ObjectStore, key: ObjectKey) {
  let missing = 1
  try {
    const { body, size } = await store.open(key)
    missing = size
    for await (const chunk of body) missing -= chunk.length
    return { isWhole: missing === 0, error: null }
  } catch (error) {
    return { isWhole: missing === 0, error }
  }
}

describe.each([5_000, 2_000_000])('a read of %i bytes from the bucket', (size) => {
  const bodyFaults: [string, HttpFault, new () => Error][] = [
    ['is truncated', withBody((body) => body.subarray(0, size - 1)), ObjectCorrupt],
    ['has a bit flipped', withBody(flipped), ObjectCorrupt],
    ['is another object', withBody(() => randomBytes(size)), ObjectCorrupt],
    ['is too long', withBody((body) => Buffer.concat([body, body])), ObjectCorrupt],
    ['is interrupted', { end: { how: 'reset', after: size - 1 } }, ObjectStoreUnavailable],
    ['stalls', { end: { how: 'silence', after: size - 1 } }, ObjectStoreUnavailable],
    ['meets 503 SlowDown', { answer: s3Error(503, 'SlowDown') }, ObjectStoreUnavailable],
  ]
  test.each(bodyFaults)('that %s fails for all readers that share it and is not cached', async (_, fault, expected) => {
    const file = await scene.file(size)
    await scene.store.put(file.key, file, size)
    scene.proxy.fault = ({ method }) => (method === 'GET' ? fault : null)
    const store = cached(fault.end?.how === 'silence' ? scene.hasty({ stall: 300 }) : scene.store)
    const ends = await Promise.all(Array.from({ length: 5 }, () => outcome(store, file.key)))
    for (const { isWhole, error } of ends) {
      expect(error).toBeInstanceOf(expected)
      expect(isWhole).toBe(false)
    }
    // The retries of the one fetch.
    expect(gets()).toBe(fault.answer ? 3 : 1)
    expect(store.figures()).toMatchObject({ objects: 0, bytes: 0 })
    expect([...(await listCacheFiles(join(folder, 'objects')))]).toEqual([])
    expect(store.held(file.key)).toBeNull()
    heal()
    expect(await buffer((await store.open(file.key)).body)).toEqual(file.bytes)
    await expect.poll(() => store.figures()).toMatchObject({ objects: 1, bytes: size })
  })
})

test('serves cached objects while the bucket is unavailable and reports an outage for the others', async () => {
  const [kept, other] = await Promise.all([scene.file(2_000_000), scene.file(2_000_000)])
  for (const file of [kept, other]) await scene.store.put(file.key, file, file.size)
  const store = cached(scene.store)
  await keep(store, kept.key)
  scene.proxy.fault = () => ({ end: { how: 'reset', after: null } })
  expect(await buffer((await store.open(kept.key)).body)).toEqual(kept.bytes)
  await expect(store.open(other.key)).rejects.toThrow(ObjectStoreUnavailable)
  heal()
  expect(await buffer((await store.open(other.key)).body)).toEqual(other.bytes)
})

test('serves cached objects free of charge when the budget is used up', async () => {
  const [kept, other] = await Promise.all([scene.file(2_000_000), scene.file(2_000_000)])
  for (const file of [kept, other]) await scene.store.put(file.key, file, file.size)
  let left = Number.POSITIVE_INFINITY
  const meter: Meter = {
    ...unmetered,
    async request() {
      if (left === 0) throw new BudgetSpent('The reads of this day are used up.', null)
      left -= 1
    },
  }
  const bucket = createS3Store(scene.settings, meter)
  const store = cached(bucket)
  await keep(store, kept.key)
  left = 0
  for (let time = 0; time < 5; time += 1) expect(await buffer((await store.open(kept.key)).body)).toEqual(kept.bytes)
  await expect(store.open(other.key)).rejects.toThrow(BudgetSpent)
  expect(await buffer((await store.open(kept.key)).body)).toEqual(kept.bytes)
  left = Number.POSITIVE_INFINITY
  expect(await buffer((await store.open(other.key)).body)).toEqual(other.bytes)
  await bucket.close()
})

test('closes the connection to the bucket when the readers leave', async () => {
  const file = await scene.file(8_000_000)
  await scene.store.put(file.key, file, file.size)
  scene.proxy.fault = ({ method }) => (method === 'GET' ? { end: { how: 'silence', after: 1_000_000 } } : null)
  const store = cached(scene.store)
  const bodies = await Promise.all(Array.from({ length: 10 }, async () => (await store.open(file.key)).body))
  for (const body of bodies) body.destroy()
  await expect.poll(async () => [...(await listCacheFiles(join(folder, 'objects')))]).toEqual([])
  expect(store.figures()).toMatchObject({ objects: 0, bytes: 0 })
  heal()
  expect(await buffer((await store.open(file.key)).body)).toEqual(file.bytes)
  expect(gets()).toBe(2)
})
