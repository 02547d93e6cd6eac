import { once } from 'node:events'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { makeCacheScene } from '#testing/storage/cache-scene.ts'
import { countedStore } from '#testing/storage/counted-store.ts'
import { createMemoryStore } from '#testing/storage/memory-store.ts'
import { BudgetSpent } from '../meter.ts'
import {
  ObjectCorrupt,
  type ObjectKey,
  ObjectNotFound,
  ObjectStoreUnavailable,
  type OpenObject,
} from '../object-store.ts'
import { CacheFiles } from './cache-files.ts'
import { CacheIndex } from './cache-index.ts'
import { openTables } from './index-file.ts'

const SIZE = 2_000_000
/** More than is fetched whole for any range. */
const LARGE = 5_000_000

/** A cache over a store whose one object is delivered by the test. */
async function makeFedScene(options: Parameters<typeof makeCacheScene>[0] = {}) {
  const { store, objects } = createMemoryStore()
  const fed: PassThrough[] = []
  const inner = {
    ...store,
    async open(key: ObjectKey): Promise<OpenObject> {
      const body = new PassThrough({ highWaterMark: 2 ** 30 })
      fed.push(body)
      return { body, size: objects.get(key)?.length ?? 0 }
    },
  }
  return Object.assign(await makeCacheScene({ ...options, inner }), { fed })
}

const closed = (body: NodeJS.ReadableStream) => new Promise((resolve) => body.once('close', resolve))

test.each([1_000, SIZE])('reads the store once for a hundred concurrent readers of %i bytes', async (size) => {
  await using scene = await makeCacheScene()
  const { key, bytes } = await scene.object(size)
  const reads = Array.from({ length: 100 }, (_, at) =>
    at % 2 === 0 ? scene.read(key) : scene.read(key, { start: at, end: size - at }),
  )
  for (const [at, read] of (await Promise.all(reads)).entries()) {
    expect(read.equals(at % 2 === 0 ? bytes : bytes.subarray(at, size - at + 1))).toBe(true)
  }
  expect(scene.below.opened).toEqual([key])
  expect(scene.store.figures()).toMatchObject({ hits: 99, misses: 1 })
})

test("shares one poll between a hundred readers of another process's fetch", async () => {
  await using scene = await makeFedScene()
  const { key, bytes } = await scene.object(SIZE)
  const first = scene.store.open(key)
  await expect.poll(async () => (await scene.files()).size).toBe(1)
  const files = new CacheFiles(join(scene.cacheFolder, 'objects'))
  const opened = vi.spyOn(files, 'open')
  const other = scene.another({ files })
  const bodies = await Promise.all(Array.from({ length: 100 }, async () => (await other.open(key)).body))
  const [gone, ...others] = bodies
  const looks = vi.spyOn(CacheIndex.prototype, 'byId')
  const reads = others.map((body) => buffer(body))
  const from = performance.now()
  scene.fed[0]?.write(bytes.subarray(0, 1_000_000))
  gone?.destroy()
  await setTimeout(200)
  expect(looks.mock.calls.length).toBeLessThanOrEqual((performance.now() - from) / 20 + 1)
  looks.mockRestore()
  scene.fed[0]?.end(bytes.subarray(1_000_000))
  for (const read of await Promise.all(reads)) expect(read.equals(bytes)).toBe(true)
  expect((await buffer((await first).body)).equals(bytes)).toBe(true)
  expect(opened).toHaveBeenCalledTimes(1)
  expect(scene.below.opened).toEqual([key])
  expect((await scene.read(key, { start: 5, end: 9 }, other)).equals(bytes.subarray(5, 10))).toBe(true)
  expect(scene.fed).toHaveLength(1)
})

test('delivers what has arrived however slow others are, and the last chunk once verified', async () => {
  await using scene = await makeFedScene()
  const { key, bytes } = await scene.object(SIZE)
  const slow = await scene.store.open(key)
  const [fed] = scene.fed
  const quick = await scene.store.open(key)
  fed?.write(bytes.subarray(0, 500_000))
  fed?.write(bytes.subarray(500_000, 1_999_999))
  const seen: Buffer[] = []
  quick.body.on('data', (chunk: Buffer) => seen.push(chunk))
  await expect.poll(() => Buffer.concat(seen).length).toBe(1_999_999)
  fed?.end(bytes.subarray(1_999_999))
  await finished(quick.body)
  expect(Buffer.concat(seen).equals(bytes)).toBe(true)
  expect(slow.body.readableLength).toBeLessThanOrEqual(64 * 1024)
  expect((await buffer(slow.body)).equals(bytes)).toBe(true)
  expect(scene.fed).toHaveLength(1)
})

test('cancels the fetch of a large object when its last reader leaves, and no sooner', async () => {
  await using scene = await makeFedScene()
  const { key, bytes } = await scene.object(LARGE)
  const bodies = await Promise.all(Array.from({ length: 20 }, async () => (await scene.store.open(key)).body))
  const [fed] = scene.fed
  fed?.write(bytes.subarray(0, 300_000))
  fed?.write(bytes.subarray(300_000, 400_000))
  for (const [at, body] of bodies.slice(1).entries()) {
    if (at % 2 === 0) await once(body, 'readable')
    body.destroy()
  }
  expect(fed?.destroyed).toBe(false)
  const [last] = bodies
  if (!fed || !last) return expect.unreachable()
  const end = closed(fed)
  last.destroy()
  await end
  await expect.poll(async () => [...(await scene.files())]).toEqual([])
  expect(scene.store.figures()).toMatchObject({ objects: 0, bytes: 0 })
  const again = scene.read(key)
  await expect.poll(() => scene.fed).toHaveLength(2)
  scene.fed[1]?.end(bytes)
  expect((await again).equals(bytes)).toBe(true)
})

test('finishes the fetch of an object of at most 4 MB for a single byte, though its reader leaves at once', async () => {
  await using scene = await makeFedScene()
  const { key, bytes } = await scene.object(SIZE)
  const opening = scene.store.open(key, { start: 1_000, end: 1_000 }, SIZE)
  await expect.poll(() => scene.fed).toHaveLength(1)
  const { body } = await opening
  const left = closed(body)
  body.destroy()
  await left
  scene.fed[0]?.end(bytes)
  await expect.poll(() => scene.store.figures().objects).toBe(1)
  expect((await scene.read(key)).equals(bytes)).toBe(true)
  expect((await scene.read(key, { start: 7, end: 8 })).equals(bytes.subarray(7, 9))).toBe(true)
  expect(scene.below.opened).toEqual([key])
})

test('reads a range as it is if the object is large, or of unknown size', async () => {
  await using scene = await makeFedScene()
  const { key } = await scene.object(LARGE)
  for (const end of [0, LARGE - 2]) (await scene.store.open(key, { start: 0, end }, LARGE)).body.destroy()
  const small = await scene.object(SIZE)
  ;(await scene.store.open(small.key, { start: 0, end: 9 })).body.destroy()
  expect(scene.below.opened).toEqual([`${key} 0-0`, `${key} 0-${LARGE - 2}`, `${small.key} 0-9`])
  expect(scene.store.figures()).toMatchObject({ hits: 0, misses: 3, objects: 0 })
})

test('serves a small range from a fetch that another reader started', async () => {
  await using scene = await makeFedScene()
  const { key, bytes } = await scene.object(SIZE)
  const reads = [scene.read(key), scene.read(key, { start: 0, end: 0 })]
  await expect.poll(() => scene.fed).toHaveLength(1)
  scene.fed[0]?.write(bytes.subarray(0, 5_000))
  expect((await reads[1])?.equals(bytes.subarray(0, 1))).toBe(true)
  scene.fed[0]?.end(bytes.subarray(5_000))
  expect((await reads[0])?.equals(bytes)).toBe(true)
  expect(scene.fed).toHaveLength(1)
})

test('rejects a range outside of the object', async () => {
  await using scene = await makeFedScene()
  const { key, bytes } = await scene.object(SIZE)
  await expect(scene.store.open(key, { start: 0, end: SIZE }, SIZE)).rejects.toThrow(RangeError)
  scene.fed[0]?.end(bytes)
  expect((await scene.read(key)).equals(bytes)).toBe(true)
  expect(scene.fed).toHaveLength(1)
})

test('reads a range directly from an object too large to cache', async () => {
  await using scene = await makeCacheScene({ maxBytes: 10 * SIZE - 10 })
  const { key, bytes } = await scene.object(SIZE)
  const range = { start: 10, end: 19 }
  expect((await scene.read(key)).equals(bytes)).toBe(true)
  expect((await scene.read(key, range)).equals(bytes.subarray(10, 20))).toBe(true)
  expect((await scene.read(key, range)).equals(bytes.subarray(10, 20))).toBe(true)
  expect(scene.below.opened).toEqual([key, `${key} 10-19`, `${key} 10-19`])
  expect(scene.store.figures()).toMatchObject({ hits: 0, misses: 3, objects: 0 })
})

test.each([
  ['is interrupted', (fed: PassThrough) => fed.destroy(), ObjectStoreUnavailable],
  ['fails', (fed: PassThrough) => fed.destroy(new ObjectStoreUnavailable('Stalled')), ObjectStoreUnavailable],
  ['runs out of budget', (fed: PassThrough) => fed.destroy(new BudgetSpent('Spent', null)), BudgetSpent],
  ['is too short', (fed: PassThrough) => fed.end(), ObjectCorrupt],
  ['returns another object', (fed: PassThrough) => fed.end(Buffer.alloc(SIZE - 300_000)), ObjectCorrupt],
  ['is too long', (fed: PassThrough) => fed.end(Buffer.alloc(SIZE)), ObjectCorrupt],
])('fails for all readers when a fetch %s part-way, and caches nothing', async (_, fail, expected) => {
  await using scene = await makeFedScene()
  const { key, bytes } = await scene.object(SIZE)
  const bodies = await Promise.all(Array.from({ length: 10 }, async () => (await scene.store.open(key)).body))
  const ends = bodies.map((body) => finished(body.resume()).catch((error: unknown) => error))
  scene.fed[0]?.write(bytes.subarray(0, 200_000))
  scene.fed[0]?.write(bytes.subarray(200_000, 300_000), () => scene.fed[0] && fail(scene.fed[0]))
  for (const end of await Promise.all(ends)) expect(end).toBeInstanceOf(expected)
  expect([...(await scene.files())]).toEqual([])
  const again = scene.read(key)
  await expect.poll(() => scene.fed).toHaveLength(2)
  scene.fed[1]?.end(bytes)
  expect((await again).equals(bytes)).toBe(true)
})

test.each([new BudgetSpent('Spent', null), new ObjectStoreUnavailable('Away'), new ObjectNotFound('None')])(
  'reports $name of the inner store to all readers, and keeps serving cached objects',
  async (refusal) => {
    await using scene = await makeCacheScene()
    const cached = await scene.object(SIZE)
    await scene.read(cached.key)
    const { key, bytes } = await scene.object(SIZE)
    scene.below.before = () => Promise.reject(refusal)
    const reads = await Promise.allSettled(Array.from({ length: 5 }, () => scene.store.open(key)))
    for (const read of reads) expect(read).toEqual({ status: 'rejected', reason: refusal })
    expect((await scene.read(cached.key)).equals(cached.bytes)).toBe(true)
    scene.below.before = () => undefined
    expect((await scene.read(key)).equals(bytes)).toBe(true)
  },
)

test('survives a fetch that fails before anybody reads it', async () => {
  await using scene = await makeFedScene()
  const { key } = await scene.object(SIZE)
  const open = scene.store.open(key)
  await expect.poll(() => scene.fed).toHaveLength(1)
  scene.fed[0]?.destroy(new ObjectStoreUnavailable('Broken at once'))
  await expect(open.then(({ body }) => finished(body.resume()))).rejects.toThrow(ObjectStoreUnavailable)
})

test('does not cache an object that is removed while it is fetched', async () => {
  await using scene = await makeFedScene()
  const { key, bytes } = await scene.object(SIZE)
  const read = scene.read(key)
  await expect.poll(() => scene.fed).toHaveLength(1)
  await scene.store.delete(key)
  scene.fed[0]?.end(bytes)
  expect((await read).equals(bytes)).toBe(true)
  expect([...(await scene.files())]).toEqual([])
  expect(scene.store.figures()).toMatchObject({ objects: 0, bytes: 0 })
})

test('does not keep an object in memory that another process removes while it is fetched', async () => {
  await using scene = await makeFedScene({ roundMs: 10 })
  const { key, bytes } = await scene.object(1_000)
  const read = scene.read(key)
  await expect.poll(() => scene.fed).toHaveLength(1)
  const heard = vi.spyOn(CacheIndex.prototype, 'removalsAfter')
  await scene.another().delete(key)
  // By then both have received the removal.
  const hearers = () =>
    new Set(heard.mock.contexts.filter((_, call) => heard.mock.results[call]?.value.keys.includes(key))).size
  await expect.poll(hearers).toBe(2)
  scene.fed[0]?.end(bytes)
  expect((await read).equals(bytes)).toBe(true)
  expect(scene.store.held(key)).toBeNull()
})

test('lets another process fetch an object whose claim could not be released', async () => {
  await using scene = await makeFedScene({ roundMs: 10 })
  // Keeps this process's heartbeat going.
  const underWay = (await scene.store.open((await scene.object(SIZE)).key)).body
  const { key, bytes } = await scene.object(SIZE)
  using index = openTables(join(scene.cacheFolder, 'index.sqlite'))
  index.exec(`CREATE TRIGGER full BEFORE DELETE ON object BEGIN SELECT RAISE(ABORT, 'full'); END`)
  index.exec(`CREATE TRIGGER full_too BEFORE UPDATE OF queue ON object BEGIN SELECT RAISE(ABORT, 'full'); END`)
  const first = scene.read(key)
  await expect.poll(() => scene.fed).toHaveLength(2)
  scene.fed[1]?.end(bytes)
  expect((await first).equals(bytes)).toBe(true)
  await expect.poll(() => scene.troubles).toHaveLength(1)
  index.exec('DROP TRIGGER full; DROP TRIGGER full_too')
  index.exec('UPDATE object SET beatAt = 0')
  await expect.poll(() => index.prepare('SELECT max(beatAt) AS at FROM object').get()?.at).not.toBe(0)
  const elsewhere = scene.read(key, undefined, scene.another())
  await expect.poll(() => scene.fed).toHaveLength(3)
  scene.fed[2]?.end(bytes)
  expect((await elsewhere).equals(bytes)).toBe(true)
  underWay.destroy()
})

test('makes nobody wait for a claim that its own process could not release', async () => {
  await using scene = await makeFedScene({ roundMs: 10 })
  const { key, bytes } = await scene.object(LARGE)
  using index = openTables(join(scene.cacheFolder, 'index.sqlite'))
  index.exec(`CREATE TRIGGER full BEFORE DELETE ON object BEGIN SELECT RAISE(ABORT, 'full'); END`)
  const first = (await scene.store.open(key)).body
  first.destroy()
  await expect.poll(() => scene.troubles).not.toEqual([])
  const readAgain = async () => {
    const known = scene.fed.length
    const again = scene.read(key)
    await expect.poll(() => scene.fed).toHaveLength(known + 1)
    scene.fed[known]?.end(bytes)
    expect((await again).equals(bytes)).toBe(true)
  }
  await readAgain()
  index.exec('DROP TRIGGER full')
  await vi.waitFor(
    async () => {
      await readAgain()
      // Caching is paused for a while after a failure.
      expect(index.prepare('SELECT * FROM object').all()).toEqual([])
    },
    { timeout: 60_000 },
  )
})

test('fails no read when the cache is closed', async () => {
  const { store } = createMemoryStore()
  const below = countedStore(store)
  await using scene = await makeCacheScene({ inner: below.store })
  const { key, bytes } = await scene.object(SIZE)
  const { body } = await scene.store.open(key)
  await scene.store.close()
  expect((await buffer(body)).equals(bytes)).toBe(true)
  expect((await scene.read(key)).equals(bytes)).toBe(true)
  expect(scene.troubles).toEqual([])
})
