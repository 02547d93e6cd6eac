import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { markedObjects, purgeRowsOf, removeObject } from '#server/images/object-removal.ts'
import { type ObjectStore, originalKey } from '#server/storage/object-store.ts'
import { expectSound, makeScene } from './storage-scene.ts'

/**
 * Uploads and purges of the same content, interleaved. Whatever the order: an image has its bytes and a live object, and
 * an object that no image needs goes with its bytes.
 */
export function keepsStorageProtocol(name: string, openDatabase: () => Promise<Database>): void {
  let database: Database
  beforeAll(async () => {
    database = await openDatabase()
  })
  afterAll(() => database.close())
  const open = () => makeScene(database.db)

  test(`${name}: a purge between the look for the bytes and the row puts the bytes again`, async () => {
    await using scene = await open()
    const [one, two, file] = [await scene.owner(), await scene.owner(), await scene.file()]
    const first = await scene.upload(one, file)
    const looked = once(async () => {
      await scene.purge(first)
      await removeObject(scene.db, scene.store, file.original.sha256)
      expect(await scene.store.sizeOf(originalKey(file.original.sha256))).toBeNull()
    })
    const store: ObjectStore = {
      ...scene.store,
      // The last look of three is at the page view: then everything seemed to be there.
      sizeOf: async (key) => {
        const size = await scene.store.sizeOf(key)
        if (key.includes('/w1600.')) await looked()
        return size
      },
    }
    await scene.upload(two, file, store)
    await expectSound(scene, [file.original.sha256])
  })

  test(`${name}: an upload while the bytes are being removed waits, and puts them again`, async () => {
    await using scene = await open()
    const [one, two, file] = [await scene.owner(), await scene.owner(), await scene.file()]
    await scene.purge(await scene.upload(one, file))
    const { promise: uploading, resolve: hasLooked } = Promise.withResolvers<void>()
    let upload: Promise<unknown> = Promise.resolve()
    const removing: ObjectStore = {
      ...scene.store,
      delete: async (key, signal) => {
        if (key === originalKey(file.original.sha256)) {
          const looking: ObjectStore = {
            ...scene.store,
            sizeOf: (each) => scene.store.sizeOf(each).finally(() => each.includes('/w1600.') && hasLooked()),
          }
          upload = scene.upload(two, file, looking)
          await uploading
        }
        await scene.store.delete(key, signal)
      },
    }
    await removeObject(scene.db, removing, file.original.sha256)
    await upload
    await expectSound(scene, [file.original.sha256])
  })

  test(`${name}: an upload after the purge and before the removal keeps the bytes`, async () => {
    await using scene = await open()
    const [one, two, file] = [await scene.owner(), await scene.owner(), await scene.file()]
    await scene.purge(await scene.upload(one, file))
    await scene.upload(two, file)
    await scene.removals().finish()
    await expectSound(scene, [file.original.sha256])
  })

  test(`${name}: a removal that fails half-way is finished later, and holds up no other`, async () => {
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
    const { logged, finish } = scene.removals(failing)
    await finish()
    expect(logged).toMatchObject([{ sha256: files[1].original.sha256, err: { message: 'The store is away' } }])
    expect(await markedObjects(scene.db)).toEqual([files[1].original.sha256])
    await scene.removals().finish()
    await expectSound(scene, [])
  })

  test(`${name}: a delete that hangs is given up while the lock is held, and an upload then has its bytes`, async () => {
    await using scene = await open()
    const [one, two, file] = [await scene.owner(), await scene.owner(), await scene.file()]
    await scene.purge(await scene.upload(one, file))
    let isHanging = false
    const hanging: ObjectStore = {
      ...scene.store,
      async delete(_, signal) {
        isHanging = true
        await new Promise((resolve) => signal?.addEventListener('abort', resolve))
        isHanging = false
        signal?.throwIfAborted()
      },
    }
    const looks: boolean[] = []
    const looking: ObjectStore = {
      ...scene.store,
      sizeOf: async (key) => {
        looks.push(isHanging)
        return scene.store.sizeOf(key)
      },
    }
    const removal = expect(removeObject(scene.db, hanging, file.original.sha256, 100)).rejects.toThrow('timeout')
    await expect.poll(() => isHanging).toBe(true)
    await scene.upload(two, file, looking)
    await removal
    // An upload looks before it has the lock, and then again at all three objects.
    expect(looks.slice(3)).toEqual([false, false, false])
    await expectSound(scene, [file.original.sha256])
  })

  test(`${name}: closing waits for the removal under way and leaves the others to the next start`, async () => {
    await using scene = await open()
    const one = await scene.owner()
    for (let file = 0; file < 3; file += 1) await scene.purge(await scene.upload(one, await scene.file()))
    const { promise: mayDelete, resolve: letDelete } = Promise.withResolvers<void>()
    const deletes: string[] = []
    const waiting: ObjectStore = {
      ...scene.store,
      delete: async (key, signal) => {
        deletes.push(key)
        await mayDelete
        await scene.store.delete(key, signal)
      },
    }
    const { removals } = scene.removals(waiting)
    removals.addLeftovers()
    await expect.poll(() => deletes).toHaveLength(1)
    const closed = removals.close()
    letDelete()
    await closed
    expect(deletes).toHaveLength(3)
    expect(await markedObjects(scene.db)).toHaveLength(2)
    await scene.removals().finish()
    await expectSound(scene, [])
  })

  test(`${name}: a removal added in a transaction waits for its end, and does nothing when it is undone`, async () => {
    await using scene = await open()
    const [one, file] = [await scene.owner(), await scene.file()]
    await scene.upload(one, file)
    const { removals, logged } = scene.removals()
    const undone = scene.db.$transaction(async (tx) => {
      removals.add(await purgeRowsOf(tx, one))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await removals.idle()
    await expectSound(scene, [file.original.sha256])
    await scene.db.$transaction(async (tx) => removals.add(await purgeRowsOf(tx, one)))
    await removals.idle()
    await expectSound(scene, [])
    expect(logged).toEqual([])
  })

  test(`${name}: all images of a user go in three statements, and the objects that nobody else has`, async () => {
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
    const marked = await scene.db.$transaction((tx) => purgeRowsOf(noting(tx, asked), one))
    expect(asked).toEqual(['$queryRaw', '$queryRaw', '$queryRaw'])
    expect(marked.sort()).toEqual([own.original.sha256, trashed.original.sha256].sort())
    expect(await scene.db.image.count({ where: { ownerId: one } })).toBe(0)
    await scene.removals().finish()
    await expectSound(scene, [shared.original.sha256, others.original.sha256].sort())
  })

  test(`${name}: an upload for an owner who has been deleted leaves nothing`, async () => {
    await using scene = await open()
    const [one, two, fresh, kept] = [await scene.owner(), await scene.owner(), await scene.file(), await scene.file()]
    await scene.upload(two, kept)
    await scene.db.user.delete({ where: { id: one } })
    for (const file of [fresh, kept]) await expect(scene.upload(one, file)).rejects.toThrow('The owner is gone')
    await scene.removals().finish()
    await expectSound(scene, [kept.original.sha256])
  })

  test(`${name}: a put that fails leaves no row`, async () => {
    await using scene = await open()
    const [one, file] = [await scene.owner(), await scene.file()]
    const failing: ObjectStore = { ...scene.store, put: () => Promise.reject(new Error('The store is full')) }
    await expect(scene.upload(one, file, failing)).rejects.toThrow('The store is full')
    await expectSound(scene, [])
  })

  test(`${name}: fifty uploads of the same content at once, by one owner and by many`, async () => {
    await using scene = await open()
    const [one, file] = [await scene.owner(), await scene.file()]
    const same = await Promise.all(Array.from({ length: 50 }, () => scene.upload(one, file)))
    expect(new Set(same.map(({ id }) => id)).size).toBe(1)
    const owners = await Promise.all(Array.from({ length: 10 }, () => scene.owner()))
    await Promise.all(owners.map((owner) => scene.upload(owner, file)))
    expect(await scene.db.image.count()).toBe(11)
    await expectSound(scene, [file.original.sha256])
  })

  test(`${name}: uploads and purges of the same content in any order`, async () => {
    await using scene = await open()
    const file = await scene.file()
    const owners = await Promise.all(Array.from({ length: 6 }, () => scene.owner()))
    const uploadAndPurge = async (owner: string, rounds: number) => {
      for (let round = 0; round < rounds; round += 1) {
        const image = await scene.upload(owner, file)
        expect(await scene.store.sizeOf(originalKey(file.original.sha256))).toBe(file.original.size)
        if (await scene.purge(image)) await removeObject(scene.db, scene.store, file.original.sha256)
      }
    }
    await Promise.all(owners.map((owner, index) => uploadAndPurge(owner, 4 + index)))
    await scene.removals().finish()
    await expectSound(scene, [])
  })
}

/** `target`, noting what of it is used. */
function noting<T extends object>(target: T, used: (string | symbol)[]): T {
  return new Proxy(target, {
    get(_, name) {
      used.push(name)
      const found: unknown = Reflect.get(target, name)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })
}

function once(step: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => {
    done ??= step()
    return done
  }
}
