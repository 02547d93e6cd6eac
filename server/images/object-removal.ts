import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { type ObjectStore, originalKey, variantKey } from '#server/storage/object-store.ts'
import { lockExistingObject } from './object-lock.ts'
import { variantWidths } from './variant.ts'

const TRANSACTION_MS = 60_000

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
 * Deletes the bytes of an object that is marked, then its row; the lock keeps an upload of the same bytes waiting. Does
 * nothing when an upload made it live again, and may be repeated after a failure anywhere.
 */
export async function removeObject(db: PrismaClient, store: ObjectStore, sha256: string): Promise<void> {
  await db.$transaction(
    async (tx) => {
      if ((await lockExistingObject(tx, sha256)) !== 'deleting') return
      for (const width of variantWidths) await store.delete(variantKey(sha256, width))
      await store.delete(originalKey(sha256))
      await tx.storedObject.delete({ where: { sha256 } })
    },
    { timeout: TRANSACTION_MS, maxWait: TRANSACTION_MS },
  )
}

/** Finishes the removals that a crash or a failing store left. */
export async function removeLeftovers(db: PrismaClient, store: ObjectStore): Promise<void> {
  const leftovers = await db.storedObject.findMany({ where: { state: 'deleting' }, select: { sha256: true } })
  for (const { sha256 } of leftovers) await removeObject(db, store, sha256)
}
