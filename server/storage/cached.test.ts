import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeCacheScene } from '#testing/storage/cache-scene.ts'
import { conformsToObjectStore } from './object-store.conformance.ts'

conformsToObjectStore('a cache on the disk', () => makeCacheScene())
conformsToObjectStore('a cache in memory', () => makeCacheScene({ maxBytes: 0 }))
conformsToObjectStore('a cache that is too small for anything', () => makeCacheScene({ maxBytes: 1 }))

test.each([1_000, 1_000_000])('reads an object of %i bytes from the inner store once', async (size) => {
  await using scene = await makeCacheScene()
  const { key, bytes } = await scene.object(size)
  for (let time = 0; time < 3; time += 1) expect((await scene.read(key)).equals(bytes)).toBe(true)
  const part = await scene.read(key, { start: 100, end: 199 })
  expect(part.equals(bytes.subarray(100, 200))).toBe(true)
  expect(scene.below.opened).toEqual([key])
  // A small object is returned before it is on disk.
  await expect.poll(() => scene.store.figures().objects).toBe(1)
  expect(scene.store.figures()).toEqual({
    hits: 3,
    misses: 1,
    bytesServed: 2 * size + 100,
    objects: 1,
    bytes: size,
    maxBytes: 100e6,
    scope: 'host',
  })
  expect([...(await scene.files()).values()]).toEqual([size])
  expect(scene.troubles).toEqual([])
})

test.each([1_000, 1_000_000])(
  'reads an object of %i bytes again that was put again, as if it were new',
  async (size) => {
    await using scene = await makeCacheScene()
    const { key, bytes } = await scene.object(size)
    for (let time = 0; time < 2; time += 1) await scene.read(key)
    await expect.poll(() => scene.store.figures().objects).toBe(1)
    const path = join(scene.folder, 'again')
    await writeFile(path, bytes)
    await scene.store.put(key, { path }, size)
    expect((await scene.read(key)).equals(bytes)).toBe(true)
    expect(scene.below.opened).toEqual([key, key])
  },
)
