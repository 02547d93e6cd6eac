import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempFolder } from '#server/storage/temp-folder.ts'
import { KeptPictures } from './kept-pictures.ts'

test('pictures are kept up to a number and to their bytes', async () => {
  const root = await mkdtemp(join(tmpdir(), 'sluice-kept-'))
  const pictures = new KeptPictures(await openTempFolder(root), { atMost: 2, maxBytes: 100 })
  const [one, two] = [await pictures.takePlace(), await pictures.takePlace()]
  expect(await pictures.takePlace()).toBe(null)
  expect([one?.takeRoom(60), two?.takeRoom(41), two?.takeRoom(40)]).toEqual([true, false, true])
  expect(await readdir(root)).toHaveLength(2)
  await one?.[Symbol.asyncDispose]()
  const three = await pictures.takePlace()
  expect([three?.takeRoom(61), three?.takeRoom(60)]).toEqual([false, true])
  await two?.[Symbol.asyncDispose]()
  await three?.[Symbol.asyncDispose]()
  expect(await readdir(root)).toEqual([])
  await rm(root, { recursive: true })
})

test('a folder that cannot be made takes no place', async () => {
  const create = () => Promise.reject(new Error('full'))
  const pictures = new KeptPictures({ create, newName: () => '', removeOlder: async () => 0 }, { atMost: 1 })
  for (let times = 0; times < 2; times += 1) await expect(pictures.takePlace()).rejects.toThrow('full')
})
