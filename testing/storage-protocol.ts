import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, PrismaClient } from '#server/database/database.ts'
import { purgeRow, removeLeftovers, removeObject } from '#server/images/object-removal.ts'
import { storeImage, type VerifiedFile } from '#server/images/store-image.ts'
import { createDiskStore } from '#server/storage/disk.ts'
import { type ObjectStore, originalKey } from '#server/storage/object-store.ts'

interface Scene extends AsyncDisposable {
  readonly db: PrismaClient
  /** The disk store; tests put steps of their own before or behind its operations. */
  readonly store: ObjectStore
  owner(): Promise<string>
  /** A verified file of random bytes, as an upload has it in the temp folder. */
  file(): Promise<VerifiedFile>
  upload(ownerId: string, file: VerifiedFile, store?: ObjectStore): Promise<{ id: string; sha256: string }>
  /** Trash and purge, without removing bytes. */
  purge(image: { id: string; sha256: string }): Promise<boolean>
}

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
      await removeObject(scene.db, scene.store, file.sha256)
      expect(await scene.store.sizeOf(originalKey(file.sha256))).toBeNull()
    })
    const store: ObjectStore = {
      ...scene.store,
      // The last look of three is at the page view: then everything seemed to be there.
      sizeOf: async (key) => {
        const size = await scene.store.sizeOf(key)
        if (key.endsWith('w1600.webp')) await looked()
        return size
      },
    }
    await scene.upload(two, file, store)
    await expectSound(scene, [file.sha256])
  })

  test(`${name}: an upload while the bytes are being removed waits, and puts them again`, async () => {
    await using scene = await open()
    const [one, two, file] = [await scene.owner(), await scene.owner(), await scene.file()]
    await scene.purge(await scene.upload(one, file))
    const { promise: uploading, resolve: hasLooked } = Promise.withResolvers<void>()
    let upload: Promise<unknown> = Promise.resolve()
    const removing: ObjectStore = {
      ...scene.store,
      delete: async (key) => {
        if (key === originalKey(file.sha256)) {
          const looking: ObjectStore = {
            ...scene.store,
            sizeOf: (each) => scene.store.sizeOf(each).finally(() => each.endsWith('w1600.webp') && hasLooked()),
          }
          upload = scene.upload(two, file, looking)
          await uploading
        }
        await scene.store.delete(key)
      },
    }
    await removeObject(scene.db, removing, file.sha256)
    await upload
    await expectSound(scene, [file.sha256])
  })

  test(`${name}: an upload after the purge and before the removal keeps the bytes`, async () => {
    await using scene = await open()
    const [one, two, file] = [await scene.owner(), await scene.owner(), await scene.file()]
    await scene.purge(await scene.upload(one, file))
    await scene.upload(two, file)
    await removeLeftovers(scene.db, scene.store)
    await expectSound(scene, [file.sha256])
  })

  test(`${name}: a removal that fails half-way is finished later`, async () => {
    await using scene = await open()
    const [one, file] = [await scene.owner(), await scene.file()]
    await scene.purge(await scene.upload(one, file))
    const failing: ObjectStore = {
      ...scene.store,
      delete: async (key) => {
        if (key === originalKey(file.sha256)) throw new Error('The store is away')
        await scene.store.delete(key)
      },
    }
    await expect(removeObject(scene.db, failing, file.sha256)).rejects.toThrow('The store is away')
    expect(await scene.db.storedObject.count()).toBe(1)
    await removeLeftovers(scene.db, scene.store)
    await expectSound(scene, [])
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
    await expectSound(scene, [file.sha256])
  })

  test(`${name}: uploads and purges of the same content in any order`, async () => {
    await using scene = await open()
    const file = await scene.file()
    const owners = await Promise.all(Array.from({ length: 6 }, () => scene.owner()))
    const uploadAndPurge = async (owner: string, rounds: number) => {
      for (let round = 0; round < rounds; round += 1) {
        const image = await scene.upload(owner, file)
        expect(await scene.store.sizeOf(originalKey(file.sha256))).toBe(file.original.size)
        if (await scene.purge(image)) await removeObject(scene.db, scene.store, file.sha256)
      }
    }
    await Promise.all(owners.map((owner, index) => uploadAndPurge(owner, 4 + index)))
    await removeLeftovers(scene.db, scene.store)
    await expectSound(scene, [])
  })
}

/** Asserts that exactly these objects are kept: live, with all their bytes, each needed by an image. */
async function expectSound({ db, store }: Scene, expected: readonly string[]): Promise<void> {
  const rows = await db.storedObject.findMany({ select: { sha256: true, state: true } })
  expect(rows).toEqual(expected.map((sha256) => ({ sha256, state: 'live' })))
  const keys = await Array.fromAsync(store.list(''), ({ key }) => key)
  const variants = (sha256: string) => [sha256, `${sha256}/w1600.webp`, `${sha256}/w400.webp`]
  expect(keys.sort()).toEqual(expected.flatMap(variants).sort())
  const needed = await db.image.findMany({ distinct: ['sha256'], select: { sha256: true } })
  expect(needed.map(({ sha256 }) => sha256)).toEqual(expected)
}

/** A store of its own, and the database emptied: scenes come one after another. */
async function makeScene(db: PrismaClient): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-protocol-'))
  await db.image.deleteMany()
  await db.storedObject.deleteMany()
  const store = await createDiskStore(join(folder, 'objects'))
  await mkdir(join(folder, 'files'))
  return {
    db,
    store,
    async owner() {
      const username = randomBytes(8).toString('hex')
      const data = { username, usernameKey: username, passwordHash: '' }
      return (await db.user.create({ data, select: { id: true } })).id
    },
    file: () => makeFile(join(folder, 'files')),
    upload: (ownerId, file, through = store) =>
      storeImage(db, through, file, { ownerId, filename: 'x.png', title: 'x', visibility: 'link' }),
    async purge(image) {
      await db.image.updateMany({ where: { id: image.id }, data: { trashedAt: new Date() } })
      return db.$transaction((tx) => purgeRow(tx, image))
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

async function makeFile(folder: string): Promise<VerifiedFile> {
  const write = async (size: number) => {
    const bytes = randomBytes(size)
    const path = join(folder, bytes.toString('hex', 0, 8))
    await writeFile(path, bytes)
    return { path, size, sha256: createHash('sha256').update(bytes).digest('hex') }
  }
  const original = await write(5_000)
  const variants = [await write(500), await write(2_000)]
  return { sha256: original.sha256, original, variants, mime: 'image/png', width: 10, height: 10 }
}

function once(step: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => {
    done ??= step()
    return done
  }
}
