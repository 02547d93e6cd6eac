import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { imageColumns } from '#server/images/image-row.ts'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { makeScene } from '#testing/storage/storage-scene.ts'

let database: Database
beforeAll(async () => {
  database = await openEmbeddedDatabase()
})
afterAll(() => database.close())

const read = (id: string) => database.db.image.findUniqueOrThrow({ where: { id }, select: imageColumns })

test('an upload returns the same values as later reads of the image', async () => {
  await using scene = await makeScene(database.db)
  const [one, two, file] = [await scene.owner(), await scene.owner(), await scene.file()]
  const first = await scene.upload(one, file)
  expect(first).toEqual(await read(first.id))
  // The row of an existing object describes what was stored, whatever another upload of the same bytes would produce.
  const second = await scene.upload(two, { ...file, variants: [], frames: 7, placeholder: 'other' })
  expect(second).toEqual(await read(second.id))
  expect(second).toMatchObject({ ownerId: two, object: { frames: file.frames, placeholder: file.placeholder } })
  expect(await scene.upload(two, file)).toEqual(second)
})

test('an upload that another one overtakes while storing returns what the other one stored', async () => {
  await using scene = await makeScene(database.db)
  const [one, two, file] = [await scene.owner(), await scene.owner(), await scene.file()]
  const other = { ...file, variants: file.variants.slice(0, 1) }
  let isFirst = true
  const put: typeof scene.store.put = async (...given) => {
    if (isFirst) {
      isFirst = false
      await scene.upload(two, other)
    }
    await scene.store.put(...given)
  }
  const image = await scene.upload(one, file, { store: { ...scene.store, put } })
  expect(image).toEqual(await read(image.id))
  expect(await database.db.storedObject.findMany({ select: { state: true, holds: true, heldUntil: true } })).toEqual([
    { state: 'live', holds: 0, heldUntil: null },
  ])
})

test('stores variants concurrently; if one fails, the upload ends when all have ended, without its original', async () => {
  await using scene = await makeScene(database.db)
  const [owner, file] = [await scene.owner(), await scene.file()]
  const slow = Promise.withResolvers<void>()
  const put: string[] = []
  let isOver = false
  const store = {
    ...scene.store,
    put: async (key: string) => {
      put.push(key)
      if (put.length === 1) throw new Error('the first fails')
      await slow.promise
    },
  }
  const upload = scene.upload(owner, file, { store }).finally(() => {
    isOver = true
  })
  const refused = expect(upload).rejects.toThrow('the first fails')
  await expect.poll(() => put.length).toBe(2)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(isOver).toBe(false)
  slow.resolve()
  await refused
  expect(put.map((key) => key.slice(64).split('.')[0])).toEqual(['/w400', '/w1600'])
})
