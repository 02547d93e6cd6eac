import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeCacheScene } from '#testing/storage/cache-scene.ts'
import { ObjectNotFound, originalKey } from '../object-store.ts'
import { CacheIndex, IndexPaused } from './cache-index.ts'
import { EXPIRY_MS } from './claims.ts'
import { openIndexFile, openTables } from './index-file.ts'
import { MOST_READS } from './read-counts.ts'
import { CacheFailure } from './sql.ts'

test('makes only one read wait, and briefly, while another process locks the index', async () => {
  await using scene = await makeCacheScene()
  const cached = await scene.object(300_000)
  await scene.read(cached.key)
  const objects = await Promise.all([300_000, 300_000, 1_000].map((size) => scene.object(size)))
  using other = openTables(join(scene.cacheFolder, 'index.sqlite'))
  expect(other.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 100 })
  other.exec('BEGIN IMMEDIATE')
  for (const { key, bytes } of [...objects, cached]) expect((await scene.read(key)).equals(bytes)).toBe(true)
  expect(scene.troubles).toEqual([expect.any(CacheFailure)])
  other.exec('COMMIT')
})

test('shares reads of small objects, and keeps them in memory, while the index is paused', async () => {
  await using scene = await makeCacheScene({ roundMs: 60_000 })
  const { key, bytes } = await scene.object(1_000)
  const large = await scene.object(300_000)
  using other = openTables(join(scene.cacheFolder, 'index.sqlite'))
  other.exec('BEGIN IMMEDIATE')
  const reads = await Promise.all(Array.from({ length: 20 }, () => scene.read(key)))
  for (const read of reads) expect(read.equals(bytes)).toBe(true)
  expect(scene.below.opened).toEqual([key])
  expect(scene.store.held(key)?.equals(bytes)).toBe(true)
  for (let time = 0; time < 2; time += 1) expect((await scene.read(large.key)).equals(large.bytes)).toBe(true)
  expect(scene.below.opened).toEqual([key, large.key, large.key])
  expect(scene.store.figures()).toMatchObject({ hits: 20, misses: 3 })
  other.exec('COMMIT')
  await scene.store.delete(key)
  expect(scene.store.held(key)).toBeNull()
  await expect(scene.store.open(key)).rejects.toThrow(ObjectNotFound)
})

test('does not serve an object removed while another process locks the index, and drops it later', async () => {
  await using scene = await makeCacheScene({ roundMs: 10 })
  const { key } = await scene.object(300_000)
  await scene.read(key)
  using other = openTables(join(scene.cacheFolder, 'index.sqlite'))
  other.exec('BEGIN IMMEDIATE')
  await scene.store.delete(key)
  await expect(scene.store.open(key)).rejects.toThrow(ObjectNotFound)
  expect((await scene.files()).size).toBe(1)
  other.exec('COMMIT')
  await expect.poll(async () => (await scene.files()).size).toBe(0)
})

test('releases a claim that could not be released with the next one, and no other claim', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-index-'))
  const options = { capacity: 1_000, self: 'me', hasEnded: () => false, removeFile: () => undefined, pauseMs: 0 }
  let now = 0
  const index = new CacheIndex({ ...options, now: () => now, db: openIndexFile(folder.path) })
  using other = openIndexFile(folder.path)
  const [one, two, three] = ['1', '2', '3'].map((digit) => originalKey(digit.repeat(64)))
  if (!one || !two || !three) return expect.unreachable()
  const [first, second] = [index.claim(one), index.claim(two)]
  other.exec('BEGIN IMMEDIATE')
  expect(() => index.remove(Number(first))).toThrow(CacheFailure)
  other.exec('COMMIT')
  now = 2 * EXPIRY_MS
  index.claim(three)
  expect(index.find(one)).toBeNull()
  expect(index.find(two)).toMatchObject({ id: second })
  index.close()
})

test('counts hits while the index is paused, up to the number of copies remembered', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-index-'))
  const options = { capacity: 1_000, self: 'me', now: () => 0, hasEnded: () => false, removeFile: () => undefined }
  const index = new CacheIndex({ ...options, db: openIndexFile(folder.path) })
  using other = openIndexFile(folder.path)
  other.exec('BEGIN IMMEDIATE')
  index.countHit(1)
  expect(() => index.flush()).toThrow(CacheFailure)
  for (let id = 1; id <= 2 * MOST_READS; id += 1) index.countHit(id)
  index.flush()
  index.beat([1])
  index.want(1)
  expect(index.unwritten).toBe(MOST_READS)
  expect(() => index.remove(1)).toThrow(IndexPaused)
  index.close()
})
