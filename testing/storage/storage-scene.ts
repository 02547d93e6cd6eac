import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import type { SweepReport } from '#server/images/maintenance/sweep.ts'
import { listObjectKeys, markedObjects, removeObject } from '#server/images/storing/object-removal.ts'
import { purgeRow } from '#server/images/storing/purge-rows.ts'
import { type StoringParts, storeImage } from '#server/images/storing/store-image.ts'
import { parseVariants } from '#server/images/storing/stored-variants.ts'
import type { VerifiedFile } from '#server/images/storing/verified-file.ts'
import { createDiskStore } from '#server/storage/disk.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { lapseAll, makeFile, makeOwner, sweepAll } from './storage-pieces.ts'

export interface Scene extends AsyncDisposable {
  readonly db: PrismaClient
  /** The disk store. Tests insert steps before or after its operations. */
  readonly store: ObjectStore
  /** Contains the store in `objects`; deleted with the scene. */
  readonly folder: string
  owner(quotaBytes?: number): Promise<string>
  /** Creates a verified file of random bytes, as an upload does in the temp folder. */
  file(): Promise<VerifiedFile>
  /** Throws with the outcome's name if the image is not stored. */
  upload(ownerId: string, file: VerifiedFile, parts?: Partial<StoringParts>): Promise<{ id: string; sha256: string }>
  /** Moves the image to the trash and purges it, without removing bytes. */
  purge(image: { id: string; sha256: string }, through?: PrismaClient): Promise<boolean>
  /** Runs a sweep without a minimum age. */
  sweep(): Promise<SweepReport>
  /** Expires all holds and claims. */
  lapse(): Promise<void>
  /** Removes all marked objects, as the job does. Returns what failed. */
  removeMarked(store?: ObjectStore): Promise<{ sha256: string; error: unknown }[]>
}

/** Asserts that exactly these objects exist, live, with all their bytes, each used by an image, and counted. */
export async function expectSound({ db, store }: Scene, expected: readonly string[]): Promise<void> {
  const rows = await db.storedObject.findMany({ select: { sha256: true, state: true }, orderBy: { sha256: 'asc' } })
  expect(rows).toEqual(expected.map((sha256) => ({ sha256, state: 'live' })))
  const kept = await db.storedObject.findMany({ select: { sha256: true, variants: true } })
  const keysNeeded = kept.flatMap((row) => listObjectKeys(row.sha256, row))
  const keys = await Array.fromAsync(store.list(''), ({ key }) => key)
  expect(keys.sort()).toEqual(keysNeeded.sort())
  const needed = await db.image.findMany({ distinct: ['sha256'], select: { sha256: true }, orderBy: { sha256: 'asc' } })
  expect(needed.map(({ sha256 }) => sha256)).toEqual(expected)
  expect(await miscounted(db)).toEqual([])
  await expectStoredCounted(db)
}

/** Asserts that the site's counted storage is the sum of its rows. */
export async function expectStoredCounted(db: PrismaClient): Promise<void> {
  const select = { size: true, variants: true, variantsDue: true, variantsReserved: true } as const
  const rows = await db.storedObject.findMany({ select })
  const sizes = rows.flatMap(({ size, variantsDue, variantsReserved, variants }) => [
    ...[size, variantsDue ? variantsReserved : 0],
    ...parseVariants(variants).map((variant) => variant.size),
  ])
  const { bytes, objects } = await db.siteStorage.findUniqueOrThrow({ where: { id: 1 } })
  expect({ bytes: Number(bytes), objects: Number(objects) }).toEqual({
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    objects: rows.length,
  })
}

/** Returns users whose counter is not the sum of their images. */
export function miscounted(db: PrismaClient): Promise<unknown> {
  return db.$queryRaw`
    SELECT "username", "usedBytes" FROM "User"
    WHERE "usedBytes" <> (SELECT COALESCE(SUM("size"), 0) FROM "Image" WHERE "ownerId" = "User"."id")`
}

/** Creates a separate store and empties the database. Scenes run one after another. */
export async function makeScene(db: PrismaClient): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-protocol-'))
  await db.image.deleteMany()
  await db.storedObject.deleteMany()
  await db.user.deleteMany({ where: { passwordHash: '' } })
  const store = await createDiskStore(join(folder, 'objects'))
  await mkdir(join(folder, 'files'))
  return {
    db,
    store,
    folder,
    owner: (quotaBytes) => makeOwner(db, quotaBytes),
    file: () => makeFile(join(folder, 'files')),
    async upload(ownerId, file, parts = {}) {
      const image = { ownerId, filename: 'x.png', title: 'x', wish: { visibility: 'link', ofKnown: 'stays' } } as const
      const unneeded = async () => undefined
      const stored = await storeImage({ db, store, siteQuota: null, unneeded, ...parts }, file, image)
      if (stored.outcome !== 'stored') throw new Error(stored.outcome)
      return stored.image
    },
    async purge(image, through = db) {
      await db.image.updateMany({ where: { id: image.id }, data: { trashedAt: new Date() } })
      return transact(through, (tx) => purgeRow(tx, image))
    },
    sweep: () => sweepAll(db, store),
    lapse: () => lapseAll(db),
    async removeMarked(through = store) {
      const failed: { sha256: string; error: unknown }[] = []
      for (const sha256 of await markedObjects(db)) {
        await removeObject(db, through, sha256).catch((error: unknown) => failed.push({ sha256, error }))
      }
      return failed
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}
