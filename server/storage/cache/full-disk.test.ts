import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { mountSmallDisk } from '#testing/servers/small-disk.ts'
import { listCacheFiles, makeCacheScene } from '#testing/storage/cache-scene.ts'

const disk = await mountSmallDisk(4 * 1024 ** 2)
afterAll(() => disk?.[Symbol.asyncDispose]())

test.skipIf(!disk)('fails no read on a full disk, index included, and keeps serving what is cached', async () => {
  const folder = join(disk?.path ?? '', 'cache')
  await using scene = await makeCacheScene({ folder, roundMs: 20 })
  const objects = await Promise.all(Array.from({ length: 12 }, () => scene.object(400_000)))
  const small = await Promise.all(Array.from({ length: 40 }, () => scene.object(50_000)))
  for (let round = 0; round < 2; round += 1) {
    for (const { key, bytes } of [...objects, ...small]) expect((await scene.read(key)).equals(bytes)).toBe(true)
  }
  expect(scene.troubles.length).toBeGreaterThan(0)
  const { hits, objects: kept } = scene.store.figures()
  expect(kept).toBeGreaterThanOrEqual(6)
  expect(hits).toBeGreaterThanOrEqual(kept)
  // Nothing is left of what could not be written: a copy that could not be removed goes with the next fetch.
  const expectNothingLeft = async () => {
    const files = [...(await listCacheFiles(join(folder, 'objects'))).values()]
    const { objects: count, bytes } = scene.store.figures()
    expect([files.length, files.reduce((sum, size) => sum + size, 0)]).toEqual([count, bytes])
  }
  await vi.waitFor(
    async () => {
      const late = await scene.object(400_000)
      expect((await scene.read(late.key)).equals(late.bytes)).toBe(true)
      // The copy is complete a moment after its bytes have been read.
      await vi.waitFor(expectNothingLeft, { timeout: 2_000 })
    },
    { timeout: 30_000 },
  )
  // Not even an index can be created.
  const other = scene.another({ folder: join(disk?.path ?? '', 'other') })
  for (const { key, bytes } of objects) expect((await scene.read(key, undefined, other)).equals(bytes)).toBe(true)
})
