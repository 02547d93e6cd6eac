import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeCacheScene } from '#testing/cache-scene.ts'
import { hasEnded, nameOfProcess } from '../process-mark.ts'
import { openTables } from './index-file.ts'

test.each([
  ['behind', -3_600_000],
  ['ahead', 3_600_000],
])('a claim of a process that is gone keeps nobody waiting whose clock is now %s', async (_, step) => {
  await using scene = await makeCacheScene()
  const { key, bytes } = await scene.object(300_000)
  using index = openTables(join(scene.cacheFolder, 'index.sqlite'))
  // Of a host of which nobody here knows.
  index.prepare(`INSERT INTO object (key, fetcher, beatAt) VALUES (?, 'elsewhere.7.x', ?)`).run(key, Date.now() - step)
  expect((await scene.read(key)).equals(bytes)).toBe(true)
  expect(scene.store.figures()).toMatchObject({ misses: 1, objects: 1 })
  expect(scene.troubles).toEqual([])
})

test('of processes of other containers nobody knows whether they have ended, though they have our host name', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  const ended = nameOfProcess().replace(/(\d+)(?=\.[^.]*$)/, String(pid))
  expect(hasEnded(ended)).toBe(true)
  expect(hasEnded(ended.replace(/\.\d+-/, '.1-'))).toBe(false)
  expect(hasEnded(nameOfProcess())).toBe(false)
})
