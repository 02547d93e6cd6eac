import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { noteRendered } from '#server/images/image-rows.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { HOLD_MS, holdObject, lockExistingObject, lockObject, releaseObject } from './object-lock.ts'
import { putVariants } from './put-objects.ts'
import { describeVariants, type VariantFile } from './verified-file.ts'

export interface AddingParts {
  readonly db: PrismaClient
  readonly store: ObjectStore
  /** Called for an object that is marked for deletion, in the transaction that releases it. */
  readonly unneeded: (tx: Transaction, sha256: string) => Promise<void>
}

export interface MadeVariants {
  /** All of the object. */
  readonly variants: readonly VariantFile[]
  /** Those of them that are to be put. */
  readonly put: readonly VariantFile[]
  /** Whether they are put only if the row awaits them. Otherwise also for an upload of an object that has them already, which costs
   *  what any other does. */
  readonly onlyDue: boolean
}

/**
 * Stores variants of an object that exists, and records them in its row if it awaits any. Returns false, having stored nothing, if
 * the object is gone or awaits none. As in an upload, the row names them before they are put, and the object is held meanwhile:
 * an interruption leaves them due, and a removal finds them. Throws if it must be retried.
 */
export async function addVariants(parts: AddingParts, sha256: string, made: MadeVariants): Promise<boolean> {
  const { db, store } = parts
  const until = await transact(db, (tx) => begin(tx, sha256, made))
  if (until === null) return false
  try {
    await putVariants(store, sha256, made.put)
    await transact(db, (tx) => end(parts, tx, sha256, made.variants, until))
    return true
  } catch (error) {
    // If the database is unavailable, the hold expires by itself.
    await transact(db, (tx) => release(parts, tx, sha256, until)).catch(() => undefined)
    throw error
  }
}

const rowColumns = { size: true, state: true, variantsDue: true } as const

async function begin(tx: Transaction, sha256: string, { put, onlyDue }: MadeVariants): Promise<Date | null> {
  await lockExistingObject(tx, sha256)
  const row = await tx.storedObject.findUnique({ where: { sha256, state: 'live' }, select: rowColumns })
  if (!row || (onlyDue && !row.variantsDue)) return null
  const { isClaimed } = await lockObject(tx, { sha256, size: row.size })
  if (isClaimed) throw new Error('the object is being deleted')
  if (row.variantsDue)
    await tx.storedObject.update({ where: { sha256 }, data: { variantsComing: describeVariants(put) } })
  return holdObject(tx, sha256, HOLD_MS)
}

/** Records the variants even if the object was marked for deletion in the meantime, so that its removal includes them. */
async function end(
  parts: AddingParts,
  tx: Transaction,
  sha256: string,
  variants: readonly VariantFile[],
  until: Date,
): Promise<void> {
  await lockExistingObject(tx, sha256)
  const row = await tx.storedObject.findUniqueOrThrow({ where: { sha256 }, select: rowColumns })
  const { isHeld } = await lockObject(tx, { sha256, size: row.size }, until)
  if (!isHeld) throw new Error('the hold expired while the variants were put')
  if (row.variantsDue) {
    const data = { variants: describeVariants(variants), variantsDue: false, variantsReserved: 0, variantsComing: [] }
    await tx.storedObject.update({ where: { sha256 }, data, select: { sha256: true } })
    await noteRendered(tx, sha256)
  }
  await release(parts, tx, sha256, until)
}

async function release({ unneeded }: AddingParts, tx: Transaction, sha256: string, until: Date): Promise<void> {
  await releaseObject(tx, sha256, until)
  const row = await tx.storedObject.findUnique({ where: { sha256 }, select: { state: true } })
  // Its removal may have found it held.
  if (row?.state === 'deleting') await unneeded(tx, sha256)
}
