import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { HOLD_MS, holdObject, lockExistingObject, lockObject, releaseObject } from '../storing/object-lock.ts'
import { putVariants } from '../storing/put-objects.ts'
import { describeVariants, type VerifiedFile } from '../storing/verified-file.ts'
import { type OriginalParts, verifyOriginal } from './verify-original.ts'

export interface VariantParts extends OriginalParts {
  readonly db: PrismaClient
}

/**
 * Re-creates the variants of an object from its original and returns their number; null if they are not due. A variant that
 * the row does not reference was left out because it would have been no fewer bytes. The object is held while they are put,
 * as by an upload, and its row is updated only afterwards: an interruption leaves them due. Throws if it must be retried or
 * the original cannot be decoded.
 */
export async function makeVariants(parts: VariantParts, sha256: string, signal: AbortSignal): Promise<number | null> {
  const { db, store, temp } = parts
  if (!(await dueObject(db, sha256))) return null
  await using folder = await temp.create()
  const verified = await verifyOriginal(parts, sha256, folder.path, signal)
  if (verified.outcome !== 'verified') throw new Error(`the decoder rejected the original: ${verified.outcome}`)
  const { file } = verified
  const until = await transact(db, (tx) => hold(tx, sha256))
  if (until === null) return null
  try {
    await putVariants(store, sha256, file)
    return await transact(db, (tx) => recordVariants(tx, sha256, file, until))
  } catch (error) {
    // If the database is unavailable, the hold expires by itself.
    await transact(db, (tx) => releaseObject(tx, sha256, until)).catch(() => undefined)
    throw error
  }
}

const dueObject = (db: PrismaClient | Transaction, sha256: string): Promise<{ size: number } | null> =>
  db.storedObject.findUnique({ where: { sha256, state: 'live', variantsDue: true }, select: { size: true } })

/** Returns null if nothing is due any more. */
async function hold(tx: Transaction, sha256: string): Promise<Date | null> {
  await lockExistingObject(tx, sha256)
  const object = await dueObject(tx, sha256)
  if (!object) return null
  const { isClaimed } = await lockObject(tx, { sha256, size: object.size })
  if (isClaimed) throw new Error('the object is being deleted')
  return holdObject(tx, sha256, HOLD_MS)
}

/** Updates the row even if it was marked for deletion in the meantime, so that its removal includes the variants. */
async function recordVariants(tx: Transaction, sha256: string, file: VerifiedFile, until: Date): Promise<number> {
  await lockExistingObject(tx, sha256)
  const { size } = await tx.storedObject.findUniqueOrThrow({ where: { sha256 }, select: { size: true } })
  const { isHeld } = await lockObject(tx, { sha256, size }, until)
  if (!isHeld) throw new Error('the hold expired while the variants were put')
  await releaseObject(tx, sha256, until)
  const data = { variants: describeVariants(file), variantsDue: false }
  await tx.storedObject.update({ where: { sha256 }, data, select: { sha256: true } })
  return file.variants.length
}
