import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { mountSmallDisk } from '#testing/servers/small-disk.ts'
import { listCacheFiles } from '#testing/storage/cache-scene.ts'
import { originalKey } from '../object-store.ts'
import { CacheFiles } from './cache-files.ts'
import { CacheIndex } from './cache-index.ts'
import { openIndexFile } from './index-file.ts'
import { CacheFailure } from './sql.ts'

const disk = await mountSmallDisk(4 * 1024 ** 2)
afterAll(() => disk?.[Symbol.asyncDispose]())

const SIZE = 300_000

/** Leaves the file system of `path` without a free byte. */
function fill(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (;;) writeSync(file, Buffer.alloc(4_096))
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  } finally {
    closeSync(file)
  }
}

test.skipIf(!disk)('makes room for the index on a disk too full to write even that something was removed', async () => {
  const folder = join(disk?.path ?? '', 'cache')
  const files = new CacheFiles(join(folder, 'objects'))
  using stack = new DisposableStack()
  const index = stack.adopt(
    new CacheIndex({
      db: openIndexFile(folder),
      capacity: 100e6,
      self: 'self',
      now: () => 0,
      hasEnded: () => false,
      removeFile: (id) => files.remove(id),
      pauseMs: 0,
    }),
    (opened) => opened.close(),
  )
  const key = (name: number) => originalKey(name.toString(16).padStart(64, '0'))
  const begin = async (name: number) => {
    const id = index.claim(key(name)) ?? 0
    expect(index.reserve(id, SIZE)).toBe('reserved')
    const file = await files.create(id)
    await file.writeFile(Buffer.alloc(SIZE))
    return { id, file }
  }
  for (const name of [1, 2, 3]) {
    const { id, file } = await begin(name)
    await file.close()
    expect(index.commit(id)).toBe(true)
  }
  const late = await begin(4)
  index.countHit(null)
  fill(join(folder, 'other'))
  // A reader has the file open, so that its removal frees nothing.
  expect(() => index.remove(late.id)).toThrow(CacheFailure)
  expect(index.figures()).toMatchObject({ objects: 3, bytes: 4 * SIZE, hits: 1 })
  // The log is emptied: room enough to forget what could not be removed.
  expect(index.claim(key(5))).toBeGreaterThan(late.id)
  expect(index.figures()).toMatchObject({ objects: 3, bytes: 3 * SIZE, hits: 1 })
  // Others take that room too, until there is no log left to empty.
  for (let time = 0; time < 2; time += 1) {
    fill(join(folder, 'other'))
    expect(() => index.claim(key(6))).toThrow(CacheFailure)
  }
  fill(join(folder, 'other'))
  expect(index.claim(key(6))).toBeGreaterThan(late.id)
  expect(index.figures()).toMatchObject({ objects: 2, bytes: 2 * SIZE })
  const left = await listCacheFiles(join(folder, 'objects'))
  expect([...left.values()]).toEqual([SIZE, SIZE])
  expect([1, 2, 3, 4].map((name) => index.find(key(name)) !== null)).toEqual([false, true, true, false])
  await late.file.close()
})
