import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeCacheScene } from '#testing/storage/cache-scene.ts'
import { hasEnded, uniqueProcessName } from '../process-mark.ts'
import { openTables } from './index-file.ts'

test.each([
  ['behind', -3_600_000],
  ['ahead', 3_600_000],
])('makes nobody wait for a claim of a dead process, with the clock now %s', async (_, step) => {
  await using scene = await makeCacheScene()
  const { key, bytes } = await scene.object(300_000)
  using index = openTables(join(scene.cacheFolder, 'index.sqlite'))
  // A process of another host, whose state is unknown here.
  index.prepare(`INSERT INTO object (key, fetcher, beatAt) VALUES (?, 'elsewhere.7.x', ?)`).run(key, Date.now() - step)
  expect((await scene.read(key)).equals(bytes)).toBe(true)
  expect(scene.store.figures()).toMatchObject({ misses: 1, objects: 1 })
  expect(scene.troubles).toEqual([])
})

test('does not assume that processes of containers with the same host name have ended', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  const ended = uniqueProcessName().replace(/(\d+)(?=\.[^.]*$)/, String(pid))
  expect(hasEnded(ended)).toBe(true)
  expect(hasEnded(ended.replace(/\.\d+-/, '.1-'))).toBe(false)
  expect(hasEnded(uniqueProcessName())).toBe(false)
})
