import { renameSync, symlinkSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { findFolder, makeCacheScene, spoilFile } from '#testing/storage/cache-scene.ts'
import { ObjectNotFound } from '../object-store.ts'
import { CacheFiles } from './cache-files.ts'
import { indexInode, openTables } from './index-file.ts'

const sum = (sizes: Iterable<number>) => [...sizes].reduce((all, size) => all + size, 0)

test('finds the existing cache at startup and reads nothing again', async () => {
  await using scene = await makeCacheScene()
  const objects = await Promise.all([1_000, 300_000, 2_000_000].map((size) => scene.object(size)))
  for (const { key } of objects) await scene.read(key)
  await expect.poll(() => scene.store.figures().objects).toBe(3)
  await scene.store.close()
  const next = scene.another()
  expect(next.figures()).toMatchObject({ hits: 0, misses: 3, objects: 3, bytes: 2_301_000 })
  for (const { key, bytes } of objects) expect((await scene.read(key, undefined, next)).equals(bytes)).toBe(true)
  expect(scene.below.opened).toHaveLength(3)
  expect(next.figures()).toMatchObject({ hits: 3, misses: 3 })
})

test.each([1_000, 2_000_000])(
  'drops %i bytes found damaged at startup and reads them again, unnoticed',
  async (size) => {
    await using scene = await makeCacheScene()
    const { key, bytes } = await scene.object(size)
    await scene.read(key)
    await expect.poll(() => scene.store.figures().objects).toBe(1)
    await scene.store.close()
    const root = join(scene.cacheFolder, 'objects')
    for (const spoil of [
      (name: string) => spoilFile(root, name),
      (name: string) => truncate(join(root, findFolder(name), name), size - 1),
      (name: string) => writeFile(join(root, findFolder(name), name), Buffer.alloc(size + 1)),
      (name: string) => rm(join(root, findFolder(name), name)),
    ]) {
      const before = scene.below.opened.length
      const [name = ''] = (await scene.files()).keys()
      await spoil(name)
      const next = scene.another()
      const reads = [scene.read(key, undefined, next), scene.read(key, { start: 5, end: size - 5 }, next)]
      const [whole, part] = await Promise.all(reads)
      expect([part?.equals(bytes.subarray(5, size - 4)), whole?.equals(bytes)]).toEqual([true, true])
      expect(scene.below.opened).toHaveLength(before + 1)
      await expect.poll(async () => [...(await scene.files()).values()]).toEqual([size])
      expect(next.figures()).toMatchObject({ objects: 1, bytes: size })
      await next.close()
    }
    expect(scene.troubles).toEqual([])
  },
)

test('continues from the inner store when a file is truncated during a read', async () => {
  await using scene = await makeCacheScene()
  const { key, bytes } = await scene.object(2_000_000)
  await scene.read(key)
  const { body } = await scene.store.open(key)
  const [name = ''] = (await scene.files()).keys()
  await truncate(join(scene.cacheFolder, 'objects', findFolder(name), name), 100_000)
  await expect(buffer(body)).resolves.toEqual(bytes)
})

test('never exceeds its cap, whatever arrives at once', async () => {
  await using scene = await makeCacheScene({ maxBytes: 5_000_000 })
  const other = scene.another()
  const objects = await Promise.all(Array.from({ length: 60 }, (_, at) => scene.object(100_000 + 6_000 * at)))
  let most = 0
  let isDone = false
  const watch = (async () => {
    while (!isDone) {
      most = Math.max(most, sum((await scene.files()).values()), scene.store.figures().bytes)
      await new Promise(setImmediate)
    }
  })()
  const reads = objects.flatMap(({ key, bytes }, at) =>
    [scene.store, at % 3 === 0 ? other : scene.store].map(async (store) => {
      expect((await scene.read(key, undefined, store)).equals(bytes)).toBe(true)
    }),
  )
  await Promise.all(reads)
  isDone = true
  await watch
  expect(most).toBeLessThanOrEqual(5_000_000)
  await expect.poll(async () => sum((await scene.files()).values()) - scene.store.figures().bytes).toBe(0)
  expect(scene.store.figures().bytes).toBeGreaterThan(4_000_000)
  expect(scene.troubles).toEqual([])
})

test('evicts down to a lower cap at startup, and deletes the cache without one', async () => {
  await using scene = await makeCacheScene()
  for (let at = 0; at < 20; at += 1) await scene.read((await scene.object(300_000)).key)
  await scene.store.close()
  const next = scene.another({ maxBytes: 1_000_000 })
  await expect.poll(() => next.figures()).toMatchObject({ objects: 3, bytes: 900_000 })
  expect((await scene.files()).size).toBe(3)
  await next.close()
  expect(scene.another({ maxBytes: 0 }).figures()).toMatchObject({ objects: 0, bytes: 0, scope: 'process' })
  expect(await readdir(scene.cacheFolder)).toEqual([])
})

test('removes an object from the other processes, including their memory', async () => {
  await using scene = await makeCacheScene()
  const other = scene.another({ roundMs: 10 })
  const small = await scene.object(1_000)
  const large = await scene.object(1_000_000)
  for (const { key } of [small, large])
    for (const store of [scene.store, other]) await scene.read(key, undefined, store)
  expect(other.held(small.key)?.equals(small.bytes)).toBe(true)
  await scene.store.delete(small.key)
  await scene.store.delete(large.key)
  expect(scene.store.held(small.key)).toBeNull()
  await expect.poll(() => other.held(small.key)).toBeNull()
  for (const { key } of [small, large]) await expect(other.open(key)).rejects.toThrow(ObjectNotFound)
  expect([...(await scene.files())]).toEqual([])
})

test('does not keep an object in memory that is removed while it is read from disk', async () => {
  await using scene = await makeCacheScene()
  const { key, bytes } = await scene.object(1_000)
  await scene.read(key)
  await expect.poll(() => scene.store.figures().objects).toBe(1)
  const files = new CacheFiles(join(scene.cacheFolder, 'objects'))
  const other = scene.another({ files })
  const opened = await files.open(Number([...(await scene.files()).keys()][0]))
  const open = Promise.withResolvers<typeof opened>()
  vi.spyOn(files, 'open').mockReturnValue(open.promise)
  const read = scene.read(key, undefined, other)
  await other.delete(key)
  // The reader already has the file open and continues.
  open.resolve(opened)
  expect((await read).equals(bytes)).toBe(true)
  expect(other.held(key)).toBeNull()
})

test('sweeps what crashes leave: files without a row and rows without a file', async () => {
  await using scene = await makeCacheScene()
  const kept = await scene.object(300_000)
  const lost = await scene.object(300_000)
  await scene.read(kept.key)
  await scene.read(lost.key)
  await scene.store.close()
  const root = join(scene.cacheFolder, 'objects')
  const [first = '', name = ''] = (await scene.files()).keys()
  await rm(join(root, findFolder(name), name))
  await mkdir(join(root, '7'))
  await writeFile(join(root, '7/7001'), 'stray')
  await writeFile(join(root, findFolder(first), `${Number(first) + 9}`), 'stray')
  const next = scene.another()
  await expect.poll(() => next.figures()).toMatchObject({ objects: 1, bytes: 300_000 })
  await expect.poll(() => readdir(root)).toEqual([findFolder(first)])
  expect((await scene.files()).size).toBe(1)
  expect((await scene.read(kept.key, undefined, next)).equals(kept.bytes)).toBe(true)
  expect(scene.below.opened).toHaveLength(2)
})

/** Files on a disk that is full after `left` bytes. */
class FullDisk extends CacheFiles {
  left = 0

  override async create(id: number) {
    const handle = await super.create(id)
    const fail = () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
    }
    const take = (bytes: number) => {
      this.left -= bytes
      if (this.left < 0) fail()
    }
    const write = handle.write.bind(handle)
    vi.spyOn(handle, 'write').mockImplementation((async (chunk: Buffer, offset: number, length: number, at: number) => {
      take(length)
      return write(chunk, offset, length, at)
    }) as typeof handle.write)
    vi.spyOn(handle, 'writeFile').mockImplementation(async (bytes) => take(String(bytes).length))
    return handle
  }
}

test.each([
  [1_000, 0],
  [2_000_000, 0],
  [2_000_000, 1_000_000],
])('fails no read when the disk fills up: %i bytes with room for %i', async (size, left) => {
  await using scene = await makeCacheScene()
  await scene.store.close()
  const files = new FullDisk(join(scene.cacheFolder, 'objects'))
  files.left = left
  const store = scene.another({ files })
  const { key, bytes } = await scene.object(size)
  const range = { start: 10, end: size - 10 }
  const reads = [scene.read(key, undefined, store), scene.read(key, range, store), scene.read(key, undefined, store)]
  const [one, part, two] = await Promise.all(reads)
  expect([one?.equals(bytes), part?.equals(bytes.subarray(10, size - 9)), two?.equals(bytes)]).toEqual([
    true,
    true,
    true,
  ])
  await expect.poll(() => scene.troubles).not.toEqual([])
  await expect.poll(async () => [...(await scene.files())]).toEqual([])
  expect(scene.troubles[0]).toMatchObject({ code: 'ENOSPC' })
  expect(store.figures()).toMatchObject({ objects: 0, bytes: 0 })
  files.left = 10 * size
  expect((await scene.read(key, undefined, store)).equals(bytes)).toBe(true)
})

test('reads ranges individually while caching is paused after a full disk', async () => {
  await using scene = await makeCacheScene()
  await scene.store.close()
  const store = scene.another({ files: new FullDisk(join(scene.cacheFolder, 'objects')) })
  await scene.read((await scene.object(300_000)).key, undefined, store)
  await expect.poll(() => scene.troubles).toHaveLength(1)
  const { key, bytes } = await scene.object(300_000)
  const before = scene.below.opened.length
  const reads = Array.from({ length: 3 }, () => scene.read(key, { start: 5, end: 9 }, store))
  for (const read of await Promise.all(reads)) expect(read.equals(bytes.subarray(5, 10))).toBe(true)
  expect(scene.below.opened.slice(before)).toEqual(Array.from({ length: 3 }, () => `${key} 5-9`))
  expect(store.figures()).toMatchObject({ hits: 0, misses: scene.below.opened.length })
})

test('replaces a file that is not an index, and works without one if that fails', async () => {
  await using scene = await makeCacheScene()
  const { key, bytes } = await scene.object(300_000)
  await scene.read(key)
  await scene.store.close()
  await writeFile(join(scene.cacheFolder, 'index.sqlite'), Buffer.alloc(100_000, 7))
  await rm(join(scene.cacheFolder, 'index.sqlite-wal'), { force: true })
  const next = scene.another()
  expect((await scene.read(key, undefined, next)).equals(bytes)).toBe(true)
  expect(next.figures()).toMatchObject({ hits: 0, misses: 1, objects: 1 })
  expect((await scene.files()).size).toBe(1)
  expect(scene.troubles).toEqual([])
  await next.close()

  await rm(scene.cacheFolder, { recursive: true })
  await writeFile(scene.cacheFolder, 'a file where the folder should be')
  const without = scene.another()
  expect(scene.troubles).toHaveLength(1)
  expect(without.figures().scope).toBe('process')
  expect((await scene.read(key, undefined, without)).equals(bytes)).toBe(true)
})

test('fails no read when the index is deleted or damaged while in use', async () => {
  await using scene = await makeCacheScene()
  const cached = await scene.object(300_000)
  await scene.read(cached.key)
  await rm(scene.cacheFolder, { recursive: true })
  expect((await scene.read(cached.key)).equals(cached.bytes)).toBe(true)
  const { key, bytes } = await scene.object(300_000)
  for (let time = 0; time < 3; time += 1) expect((await scene.read(key)).equals(bytes)).toBe(true)
})

/** Overwrites all but the first page of the index, and makes open connections read it again. */
async function spoilIndex(folder: string) {
  const path = join(folder, 'index.sqlite')
  using db = openTables(path)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  await using file = await open(path, 'r+')
  const { size } = await file.stat()
  await file.write(Buffer.alloc(size - 4_096, 7), 0, size - 4_096, 4_096)
  db.exec('PRAGMA user_version = 1')
}

test('replaces an index damaged while in use, once, and fails no read', async () => {
  await using scene = await makeCacheScene()
  const { key, bytes } = await scene.object(300_000)
  const read = async () => expect((await scene.read(key)).equals(bytes)).toBe(true)
  await read()
  const before = indexInode(scene.cacheFolder)
  // Keeps the inode from being reused by the next file.
  await using _first = await open(join(scene.cacheFolder, 'index.sqlite'))
  await spoilIndex(scene.cacheFolder)
  await read()
  expect(scene.troubles).not.toEqual([])
  await vi.waitFor(
    async () => {
      await read()
      expect(scene.store.figures()).toMatchObject({ objects: 1, bytes: 300_000 })
    },
    { timeout: 60_000 },
  )
  const reads = scene.below.opened.length
  await read()
  expect(scene.below.opened).toHaveLength(reads)
  expect(indexInode(scene.cacheFolder)).not.toBe(before)
  await spoilIndex(scene.cacheFolder)
  for (let time = 0; time < 3; time += 1) await read()
  expect(indexInode(scene.cacheFolder)).toBeNull()
})

test('replaces an index that is damaged beyond its first page at startup', async () => {
  await using scene = await makeCacheScene()
  const { key, bytes } = await scene.object(300_000)
  await scene.read(key)
  await scene.store.close()
  await spoilIndex(scene.cacheFolder)
  const next = scene.another()
  expect((await scene.read(key, undefined, next)).equals(bytes)).toBe(true)
  expect(next.figures()).toMatchObject({ objects: 1, bytes: 300_000, scope: 'host' })
  expect((await scene.files()).size).toBe(1)
  expect(scene.troubles).toEqual([])
})

test('returns zero figures for a damaged index, and counts afterwards', async () => {
  await using scene = await makeCacheScene()
  const { key } = await scene.object(300_000)
  await scene.read(key)
  await spoilIndex(scene.cacheFolder)
  expect(scene.store.figures()).toMatchObject({ hits: 0, misses: 0, objects: 0, bytes: 0 })
  expect(scene.troubles).toEqual([expect.objectContaining({ name: 'CacheFailure' })])
  await vi.waitFor(async () => {
    await scene.read(key)
    expect(scene.store.figures()).toMatchObject({ objects: 1, bytes: 300_000 })
  })
})

test.each([100e6, 0])('deletes at startup what a killed process had discarded: cap %i', async (maxBytes) => {
  await using scene = await makeCacheScene()
  await scene.read((await scene.object(300_000)).key)
  await scene.store.close()
  const left = join(scene.cacheFolder, 'objects.6c4cd1e1-5b0e-4f5a-9d0b-8a4c9a0f9a0a.gone')
  await rename(join(scene.cacheFolder, 'objects'), left)
  await scene.another({ maxBytes }).close()
  await expect.poll(async () => (await readdir(scene.cacheFolder)).filter((name) => name.endsWith('.gone'))).toEqual([])
  expect(scene.troubles).toEqual([])
})

test('fails no read when a damaged index cannot be discarded', async () => {
  await using scene = await makeCacheScene({ roundMs: 10 })
  const { key, bytes } = await scene.object(300_000)
  await scene.read(key)
  await spoilIndex(scene.cacheFolder)
  // Immediately, or a round would replace the index first.
  renameSync(scene.cacheFolder, join(scene.folder, 'moved'))
  symlinkSync(scene.cacheFolder, scene.cacheFolder)
  expect((await scene.read(key)).equals(bytes)).toBe(true)
  // Nor does the round that discovers it.
  await expect.poll(() => scene.troubles).toContainEqual(expect.objectContaining({ code: 'ELOOP' }))
  expect((await scene.read(key)).equals(bytes)).toBe(true)
})

/** A cache that another process has replaced by one with two objects. */
async function makeReplacedScene(roundMs?: number) {
  const scene = await makeCacheScene({ ...(roundMs && { roundMs }) })
  const [one, other] = [await scene.object(300_000), await scene.object(300_000)]
  await scene.read(one.key)
  await scene.another({ maxBytes: 0 }).close()
  const replacement = scene.another()
  for (const { key } of [other, await scene.object(300_000)]) await scene.read(key, undefined, replacement)
  return { scene, one, other, replacement }
}

test('serves nothing of a replaced cache, and changes nothing of the new one before it notices', async () => {
  const { scene, one, replacement } = await makeReplacedScene(60_000)
  await using _ = scene
  expect((await scene.read(one.key)).equals(one.bytes)).toBe(true)
  expect(replacement.figures()).toMatchObject({ objects: 2, bytes: 600_000 })
  expect(scene.troubles).toEqual([])
})

test('shares the cache that has replaced its own', async () => {
  const { scene, one, other } = await makeReplacedScene()
  await using _ = scene
  await expect.poll(() => scene.store.figures()).toMatchObject({ objects: 2, bytes: 600_000 })
  const reads = scene.below.opened.length
  expect((await scene.read(other.key)).equals(other.bytes)).toBe(true)
  expect(scene.below.opened).toHaveLength(reads)
  expect((await scene.read(one.key)).equals(one.bytes)).toBe(true)
  expect(scene.below.opened).toHaveLength(reads + 1)
  await expect.poll(() => scene.store.figures()).toMatchObject({ objects: 3, bytes: 900_000 })
  expect(scene.troubles).toEqual([])
})

test('serves small objects from memory, in front of a disk too', async () => {
  await using scene = await makeCacheScene({ maxBytes: 0 })
  const { key, bytes } = await scene.object(256 * 1024)
  const large = await scene.object(256 * 1024 + 1)
  expect(scene.store.held(key)).toBeNull()
  const reads = await Promise.all(Array.from({ length: 10 }, () => scene.read(key)))
  for (const read of reads) expect(read.equals(bytes)).toBe(true)
  for (let time = 0; time < 2; time += 1) expect((await scene.read(large.key)).equals(large.bytes)).toBe(true)
  expect(scene.below.opened).toEqual([key, large.key, large.key])
  expect(scene.store.held(key)?.equals(bytes)).toBe(true)
  expect(scene.store.held(large.key)).toBeNull()
  expect(scene.store.figures()).toEqual({
    hits: 10,
    misses: 3,
    bytesServed: 10 * 256 * 1024,
    objects: 1,
    bytes: 256 * 1024,
    maxBytes: 16 * 1024 * 1024,
    scope: 'process',
  })
})
