import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { markedObjects, removeObject } from '#server/images/storing/object-removal.ts'
import { lockUserObjects, purgeUserRows } from '#server/images/storing/purge-rows.ts'
import { storeImage } from '#server/images/storing/store-image.ts'
import { type ObjectStore, originalKey } from '#server/storage/object-store.ts'
import { keepsQuota } from './storage-quota.ts'
import { expectSound, makeScene } from './storage-scene.ts'

/**
 * Interleaved uploads and purges of the same content. In every order, an image has its bytes and a live object, and an object
 * that no image needs is removed with its bytes.
 */
export function keepsStorageProtocol(name: string, openDatabase: () => Promise<Database>): void {
  let database: Database
  beforeAll(async () => {
    database = await openDatabase()
  })
  afterAll(() => database.close())
  const open = () => makeScene(database.db)

  test(`${name}: stores bytes as if they were new for another owner, and again for their own only if the store has lost them`, async () => {
    await using scene = await open()
    const [one, two, file] = [await scene.owner(), await scene.owner(), await scene.file()]
    const asked: string[] = []
    const store: ObjectStore = {
      ...scene.store,
      put: (key, ...given) => scene.store.put(key, ...given).finally(() => asked.push('put')),
      readSize: (key) => scene.store.readSize(key).finally(() => asked.push('readSize')),
    }
    await scene.upload(one, file, { store })
    expect(asked.splice(0)).toEqual(['put', 'put', 'put'])
    await scene.upload(two, file, { store })
    expect(asked.splice(0)).toEqual(['put', 'put', 'put'])
    await scene.upload(two, file, { store })
    expect(asked.splice(0)).toEqual(['readSize'])
    await scene.store.delete(originalKey(file.original.sha256))
    await scene.upload(two, file, { store })
    expect(asked).toEqual(['readSize', 'put', 'put', 'put'])
    await expectSound(scene, [file.original.sha256])
  })

  test(`${name}: no removal begins while an upload stores the bytes`, async () => {
    await using scene = await open()
    const [one, two, file] = [await scene.owner(), await scene.owner(), await scene.file()]
    await scene.purge(await scene.upload(one, file))
    const removed: boolean[] = []
    const store: ObjectStore = {
      ...scene.store,
      put: async (...given) => {
        removed.push(await removeObject(scene.db, scene.store, file.original.sha256))
        await scene.store.put(...given)
        removed.push(await removeObject(scene.db, scene.store, file.original.sha256))
      },
    }
    await scene.upload(two, file, { store })
    expect(removed).toEqual(Array.from({ length: 6 }, () => false))
    await expectSound(scene, [file.original.sha256])
  })

  test(`${name}: an upload whose hold expired while the bytes were removed stores them again`, async () => {
    await using scene = await open()
    const [one, file] = [await scene.owner(), await scene.file()]
    let puts = 0
    const store: ObjectStore = {
      ...scene.store,
      put: async (...given) => {
        await scene.store.put(...given)
        puts += 1
        if (puts !== 3) return
        parts.holdMs = 60_000
        await scene.lapse()
        expect(await removeObject(scene.db, scene.store, file.original.sha256)).toBe(true)
      },
    }
    const parts = { db: scene.db, store, siteQuota: null, unneeded: async () => undefined, holdMs: 1 }
    const image = {
      ownerId: one,
      filename: 'x.png',
      title: 'x',
      wish: { visibility: 'link', ofKnown: 'stays' },
    } as const
    expect(await storeImage(parts, file, image)).toMatchObject({ outcome: 'stored' })
    expect(puts).toBe(6)
    await expectSound(scene, [file.original.sha256])
  })

  test(`${name}: an upload during a removal waits, and stores the bytes again`, async () => {
    await using scene = await open()
    const [one, two, file] = [await scene.owner(), await scene.owner(), await scene.file()]
    await scene.purge(await scene.upload(one, file))
    const [looked, mayLook] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const pause = () => {
      looked.resolve()
      return mayLook.promise
    }
    let upload: Promise<unknown> = Promise.resolve()
    const removing: ObjectStore = {
      ...scene.store,
      delete: async (key, signal) => {
        if (key === originalKey(file.original.sha256)) {
          upload = scene.upload(two, file, { pause })
          await looked.promise
        }
        await scene.store.delete(key, signal)
      },
    }
    expect(await removeObject(scene.db, removing, file.original.sha256)).toBe(true)
    mayLook.resolve()
    await upload
    await expectSound(scene, [file.original.sha256])
  })

  test(`${name}: an upload during a removal that takes too long is refused as busy`, async () => {
    await using scene = await open()
    const [one, file] = [await scene.owner(), await scene.file()]
    await scene.purge(await scene.upload(one, file))
    const failing: ObjectStore = { ...scene.store, delete: () => Promise.reject(new Error('The store is away')) }
    await expect(removeObject(scene.db, failing, file.original.sha256)).rejects.toThrow('The store is away')
    await expect(scene.upload(one, file, { pause: async () => undefined })).rejects.toThrow('busy')
    await scene.lapse()
    await scene.upload(one, file)
    await expectSound(scene, [file.original.sha256])
  })

  test(`${name}: an upload after the purge and before the removal keeps the bytes`, async () => {
    await using scene = await open()
    const [one, two, file] = [await scene.owner(), await scene.owner(), await scene.file()]
    await scene.purge(await scene.upload(one, file))
    await scene.upload(two, file)
    expect(await scene.removeMarked()).toEqual([])
    await expectSound(scene, [file.original.sha256])
  })

  test(`${name}: a removal that fails half-way is finished later, and does not delay others`, async () => {
    await using scene = await open()
    const one = await scene.owner()
    const files = [await scene.file(), await scene.file(), await scene.file()] as const
    for (const file of files) await scene.purge(await scene.upload(one, file))
    const failing: ObjectStore = {
      ...scene.store,
      delete: async (key, signal) => {
        if (key === originalKey(files[1].original.sha256)) throw new Error('The store is away')
        await scene.store.delete(key, signal)
      },
    }
    const failed = await scene.removeMarked(failing)
    expect(failed).toMatchObject([{ sha256: files[1].original.sha256, error: { message: 'The store is away' } }])
    expect(await markedObjects(scene.db)).toEqual([files[1].original.sha256])
    await scene.lapse()
    expect(await scene.removeMarked()).toEqual([])
    await expectSound(scene, [])
  })

  test(`${name}: a delete that hangs is aborted, and blocks uploads of the same bytes until it can do no harm`, async () => {
    await using scene = await open()
    const [one, two, file] = [await scene.owner(), await scene.owner(), await scene.file()]
    await scene.purge(await scene.upload(one, file))
    const hanging: ObjectStore = {
      ...scene.store,
      async delete(_, signal) {
        await new Promise((resolve) => signal?.addEventListener('abort', resolve))
        signal?.throwIfAborted()
      },
    }
    const pause = async () => undefined
    await expect(removeObject(scene.db, hanging, file.original.sha256, 500)).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    await expect(scene.upload(two, file, { pause })).rejects.toThrow('busy')
    // Now the store performs the delete, late.
    await scene.store.delete(originalKey(file.original.sha256))
    await scene.lapse()
    await scene.upload(two, file, { pause })
    await expectSound(scene, [file.original.sha256])
  })

  test(`${name}: deletes all images of a user in four statements, with the objects that no other user has`, async () => {
    await using scene = await open()
    const [one, two] = [await scene.owner(), await scene.owner()]
    const [own, trashed, shared, others] = [
      await scene.file(),
      await scene.file(),
      await scene.file(),
      await scene.file(),
    ]
    for (const file of [own, trashed, shared]) await scene.upload(one, file)
    for (const file of [shared, others]) await scene.upload(two, file)
    await scene.db.image.updateMany({ where: { sha256: trashed.original.sha256 }, data: { trashedAt: new Date() } })
    const asked: (string | symbol)[] = []
    const marked = await scene.db.$transaction(async (tx) => {
      const noted = noting(tx, asked)
      return purgeUserRows(noted, one, await lockUserObjects(noted, one))
    })
    expect(asked).toEqual(['$queryRaw', '$queryRaw', '$queryRaw', '$queryRaw'])
    expect(marked.sort()).toEqual([own.original.sha256, trashed.original.sha256].sort())
    expect(await scene.db.image.count({ where: { ownerId: one } })).toBe(0)
    expect(await scene.removeMarked()).toEqual([])
    await expectSound(scene, [shared.original.sha256, others.original.sha256].sort())
  })

  test(`${name}: deleting a user starts again if images are added in the meantime`, async () => {
    await using scene = await open()
    const [one, first, second] = [await scene.owner(), await scene.file(), await scene.file()]
    await scene.upload(one, first)
    const locks: number[] = []
    const marked = await transact(scene.db, async (tx) => {
      const locked = await lockUserObjects(tx, one)
      locks.push(locked.length)
      // As if the second image had been added after this read.
      return purgeUserRows(tx, one, locks.length === 1 ? [] : locked)
    })
    expect([marked.length, locks]).toEqual([1, [1, 1]])
    await scene.upload(one, second)
    expect(await scene.removeMarked()).toEqual([])
    await expectSound(scene, [second.original.sha256])
  })

  test(`${name}: an upload for an owner who has been deleted leaves nothing`, async () => {
    await using scene = await open()
    const [one, two, fresh, kept] = [await scene.owner(), await scene.owner(), await scene.file(), await scene.file()]
    await scene.upload(two, kept)
    await scene.db.user.delete({ where: { id: one } })
    for (const file of [fresh, kept]) await expect(scene.upload(one, file)).rejects.toThrow('owner-gone')
    expect(await scene.removeMarked()).toEqual([])
    await expectSound(scene, [kept.original.sha256])
  })

  test(`${name}: a put that fails leaves no row`, async () => {
    await using scene = await open()
    const [one, file] = [await scene.owner(), await scene.file()]
    const failing: ObjectStore = { ...scene.store, put: () => Promise.reject(new Error('The store is full')) }
    const unneeded: string[] = []
    const failed = scene.upload(one, file, {
      store: failing,
      unneeded: async (_, sha256) => void unneeded.push(sha256),
    })
    await expect(failed).rejects.toThrow('The store is full')
    expect(unneeded).toEqual([file.original.sha256])
    expect(await scene.removeMarked()).toEqual([])
    await expectSound(scene, [])
  })

  test(`${name}: fifty concurrent uploads of the same content, by one owner and by many`, async () => {
    await using scene = await open()
    const [one, file] = [await scene.owner(), await scene.file()]
    const same = await Promise.all(Array.from({ length: 50 }, () => scene.upload(one, file)))
    expect(new Set(same.map(({ id }) => id)).size).toBe(1)
    const owners = await Promise.all(Array.from({ length: 10 }, () => scene.owner()))
    await Promise.all(owners.map((owner) => scene.upload(owner, file)))
    expect(await scene.db.image.count()).toBe(11)
    await expectSound(scene, [file.original.sha256])
  })

  keepsQuota(name, open)

  test(`${name}: uploads and purges of the same content in any order`, async () => {
    await using scene = await open()
    const file = await scene.file()
    const owners = await Promise.all(Array.from({ length: 6 }, () => scene.owner()))
    const uploadAndPurge = async (owner: string, rounds: number) => {
      for (let round = 0; round < rounds; round += 1) {
        const image = await scene.upload(owner, file)
        expect(await scene.store.readSize(originalKey(file.original.sha256))).toBe(file.original.size)
        if (await scene.purge(image)) await removeObject(scene.db, scene.store, file.original.sha256)
      }
    }
    await Promise.all(owners.map((owner, index) => uploadAndPurge(owner, 4 + index)))
    expect(await scene.removeMarked()).toEqual([])
    await expectSound(scene, [])
  })
}

/** Returns `target`, recording which of its members are used. */
function noting<T extends object>(target: T, used: (string | symbol)[]): T {
  return new Proxy(target, {
    get(_, name) {
      used.push(name)
      const found: unknown = Reflect.get(target, name)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })
}
