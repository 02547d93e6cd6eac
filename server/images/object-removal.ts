import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { type ObjectStore, originalKey, variantKey } from '#server/storage/object-store.ts'
import { lockExistingObject } from './object-lock.ts'
import { shutOutImages } from './owner-lock.ts'
import { parseVariants } from './stored-variants.ts'

const TRANSACTION_MS = 60_000
/** How long a removal may wait for its lock and delete: what is left of the transaction is for the last delete to settle. */
const DELETE_MS = 20_000

const marked = z.array(z.object({ sha256: z.string() }))

/**
 * Deletes an image's row, and when it was the last of its object marks that: its bytes are then for `removeObject`.
 * The object's row is locked first, as an upload does, so that neither misses the other. False when the image has gone.
 */
export async function purgeRow(tx: Transaction, image: { id: string; sha256: string }): Promise<boolean> {
  await lockExistingObject(tx, image.sha256)
  const { count } = await tx.image.deleteMany({ where: { id: image.id, trashedAt: { not: null } } })
  if (count === 0) return false
  const left = await tx.image.count({ where: { sha256: image.sha256 } })
  if (left === 0) await tx.storedObject.update({ where: { sha256: image.sha256 }, data: { state: 'deleting' } })
  return true
}

/**
 * Deletes the rows of all images of a user, in the trash or not, marks the objects that nobody else has, and answers
 * those. Locks as `purgeRow` does, in the order of the hashes, so that two purges never wait for each other.
 */
export async function purgeRowsOf(tx: Transaction, userId: string): Promise<string[]> {
  await shutOutImages(tx, userId)
  await tx.$queryRaw`
    SELECT 1 FROM "StoredObject"
    WHERE "sha256" IN (SELECT "sha256" FROM "Image" WHERE "ownerId" = ${userId}::uuid)
    ORDER BY "sha256" FOR UPDATE`
  // The parts of one statement see the same rows: those that it deletes are still there for NOT EXISTS.
  const rows = await tx.$queryRaw`
    WITH "gone" AS (DELETE FROM "Image" WHERE "ownerId" = ${userId}::uuid RETURNING "sha256")
    UPDATE "StoredObject" AS "object" SET "state" = 'deleting' FROM "gone"
    WHERE "object"."sha256" = "gone"."sha256" AND NOT EXISTS (
      SELECT 1 FROM "Image" WHERE "Image"."sha256" = "object"."sha256" AND "Image"."ownerId" <> ${userId}::uuid)
    RETURNING "object"."sha256"`
  return marked.parse(rows).map(({ sha256 }) => sha256)
}

/**
 * Deletes the bytes of an object that is marked, then its row; the lock keeps an upload of the same bytes waiting. Does
 * nothing when an upload made it live again, and may be repeated after a failure anywhere.
 *
 * The lock goes with the transaction, and a delete that came after it could take what an upload has vouched for since.
 * So none is begun after `deleteMs`, those begun are told to end by then, and each is awaited: bytes are safe as long as
 * a store's delete settles within the 40 s that the transaction then has left.
 */
export async function removeObject(
  db: PrismaClient,
  store: ObjectStore,
  sha256: string,
  deleteMs = DELETE_MS,
): Promise<void> {
  await db.$transaction(
    async (tx) => {
      const signal = AbortSignal.timeout(deleteMs)
      if ((await lockExistingObject(tx, sha256)) !== 'deleting') return
      const { variants } = await tx.storedObject.findUniqueOrThrow({ where: { sha256 }, select: { variants: true } })
      for (const { width, sha256: hash } of parseVariants(variants)) {
        await store.delete(variantKey(sha256, width, hash), signal)
      }
      await store.delete(originalKey(sha256), signal)
      await tx.storedObject.delete({ where: { sha256 } })
    },
    { timeout: TRANSACTION_MS, maxWait: TRANSACTION_MS },
  )
}

/** The objects whose bytes wait to be removed. */
export async function markedObjects(db: PrismaClient): Promise<string[]> {
  const rows = await db.storedObject.findMany({ where: { state: 'deleting' }, select: { sha256: true } })
  return rows.map(({ sha256 }) => sha256)
}
