import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { type ObjectKey, variantKey } from '#server/storage/object-store.ts'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { expectSound, makeScene, type Scene } from '#testing/storage/storage-scene.ts'
import { addVariants } from './add-variants.ts'
import type { VerifiedFile } from './verified-file.ts'

let database: Database
beforeAll(async () => {
  database = await openEmbeddedDatabase()
})
afterAll(() => database.close())

const RESERVED = 3_000

/** An image that has been answered with its smallest variant. */
async function answered(scene: Scene) {
  const whole = await scene.file()
  const early: VerifiedFile = { ...whole, variants: whole.variants.slice(0, 1), reserved: RESERVED }
  const image = await scene.upload(await scene.owner(), early)
  const { sha256 } = image
  const unneeded: string[] = []
  const parts = { ...scene, unneeded: async (_: unknown, sha256: string) => void unneeded.push(sha256) }
  const [, late] = whole.variants
  if (!late) throw new Error('The file has one variant')
  return {
    ...{ image, early, unneeded, late: variantKey(sha256, late.width, late.sha256) },
    add: (store = scene.store, onlyDue = false) =>
      addVariants({ ...parts, store }, sha256, { variants: whole.variants, put: [late], onlyDue }),
    row: () => scene.db.storedObject.findUniqueOrThrow({ where: { sha256 } }),
    bytes: async () => Number((await scene.db.siteStorage.findUniqueOrThrow({ where: { id: 1 } })).bytes),
  }
}

const keysOf = ({ store }: Scene): Promise<ObjectKey[]> => Array.fromAsync(store.list(''), ({ key }) => key)

test('bytes are reserved with the original, and settled when the variants are stored', async () => {
  await using scene = await makeScene(database.db)
  const { bytes, add, row, image, unneeded } = await answered(scene)
  expect(await bytes()).toBe(5_000 + 500 + RESERVED)
  expect(await row()).toMatchObject({ variantsDue: true, variantsReserved: RESERVED, holds: 0 })
  expect(await add()).toBe(true)
  expect(await bytes()).toBe(5_000 + 500 + 2_000)
  expect(await row()).toMatchObject({ variantsDue: false, variantsReserved: 0, variantsComing: [], holds: 0 })
  await expectSound(scene, [image.sha256])
  expect(unneeded).toEqual([])
  expect(await add(scene.store, true)).toBe(false)
})

test('a version that does not know of reservations ends them by making the variants', async () => {
  await using scene = await makeScene(database.db)
  const { bytes, image } = await answered(scene)
  await scene.db.storedObject.update({ where: { sha256: image.sha256 }, data: { variantsDue: false } })
  expect(await bytes()).toBe(5_000 + 500)
})

test('an image that is purged before its variants are stored leaves nothing', async () => {
  await using scene = await makeScene(database.db)
  const { image, add, bytes } = await answered(scene)
  await scene.purge(image)
  expect(await add()).toBe(false)
  expect(await scene.removeMarked()).toEqual([])
  expect(await add()).toBe(false)
  expect([await keysOf(scene), await bytes()]).toEqual([[], 0])
})

test('an image that is purged while its variants are stored is removed with them afterwards', async () => {
  await using scene = await makeScene(database.db)
  const { image, add, late, unneeded, bytes } = await answered(scene)
  const store = {
    ...scene.store,
    put: async (...given: Parameters<typeof scene.store.put>) => {
      await scene.purge(image)
      // Held, so nothing is removed.
      expect(await scene.removeMarked()).toEqual([])
      await scene.store.put(...given)
      expect(await keysOf(scene)).toContain(late)
    },
  }
  expect(await add(store)).toBe(true)
  expect(unneeded).toEqual([image.sha256])
  expect(await scene.removeMarked()).toEqual([])
  expect([await keysOf(scene), await bytes()]).toEqual([[], 0])
})

test('a process that is killed after it has put variants leaves them to a removal', async () => {
  await using scene = await makeScene(database.db)
  const { image, add, row, late } = await answered(scene)
  const { promise: hanging, resolve } = Promise.withResolvers<void>()
  const put: typeof scene.store.put = async (...given) => {
    await scene.store.put(...given)
    resolve()
    await new Promise(() => undefined)
  }
  void add({ ...scene.store, put })
  await hanging
  expect(await row()).toMatchObject({ variantsDue: true, variantsReserved: RESERVED })
  expect(await keysOf(scene)).toContain(late)
  await scene.lapse()
  await scene.purge(image)
  expect(await scene.removeMarked()).toEqual([])
  expect(await keysOf(scene)).toEqual([])
})

test('a failed put leaves the variants due, and the object is not held', async () => {
  await using scene = await makeScene(database.db)
  const { add, row, image } = await answered(scene)
  await expect(add({ ...scene.store, put: () => Promise.reject(new Error('full')) })).rejects.toThrow('full')
  expect(await row()).toMatchObject({ variantsDue: true, variantsReserved: RESERVED, holds: 0, heldUntil: null })
  expect(await add(scene.store, true)).toBe(true)
  await expectSound(scene, [image.sha256])
})

test('a second upload of the same bytes puts the same, and reserves nothing more', async () => {
  await using scene = await makeScene(database.db)
  const { add, early, bytes, image } = await answered(scene)
  await scene.upload(await scene.owner(), early)
  expect(await bytes()).toBe(5_000 + 500 + RESERVED)
  const puts: ObjectKey[] = []
  const put: typeof scene.store.put = async (key, ...given) => {
    puts.push(key)
    await scene.store.put(key, ...given)
  }
  for (let times = 0; times < 2; times += 1) expect(await add({ ...scene.store, put })).toBe(true)
  expect([puts.length, new Set(puts).size]).toEqual([2, 1])
  expect(await bytes()).toBe(5_000 + 500 + 2_000)
  await expectSound(scene, [image.sha256])
})
