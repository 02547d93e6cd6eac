import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { moveToObject } from '../image-rows.ts'
import {
  describeObject,
  HOLD_MS,
  holdObject,
  lockExistingObject,
  lockObject,
  releaseObject,
} from '../storing/object-lock.ts'
import { countOutAll } from '../storing/owner-lock.ts'
import { markUnneeded } from '../storing/purge-rows.ts'
import { putAll, putIfLost } from '../storing/put-objects.ts'
import { toFacts, type VerifiedFile } from '../storing/verified-file.ts'

export interface ReplacingParts {
  readonly db: PrismaClient
  readonly store: ObjectStore
  readonly removals: { add(tx: Transaction, sha256s: readonly string[]): Promise<void> }
}

/**
 * Stores `file` and gives it to all images of the object `sha256`, whose bytes are then removed if no image needs them. Returns
 * the number of these images. As in an upload, the new object is held while its bytes are put, and the rows change only
 * afterwards, so that an interruption loses nothing.
 */
export async function replaceObject(parts: ReplacingParts, sha256: string, file: VerifiedFile): Promise<number> {
  const { db, store, removals } = parts
  const heldUntil = await transact(db, (tx) => hold(tx, file))
  try {
    await (heldUntil ? putAll(store, file) : putIfLost(store, file))
  } catch (error) {
    // If the database is unavailable too, the hold expires.
    if (heldUntil) await transact(db, (tx) => release(tx, removals, file, heldUntil)).catch(() => undefined)
    throw error
  }
  return transact(db, (tx) => replace(tx, removals, { sha256, file, heldUntil }))
}

/** Returns null for an object that is stored already. */
async function hold(tx: Transaction, file: VerifiedFile): Promise<Date | null> {
  const { sha256 } = file.original
  const { state, isClaimed } = await lockObject(tx, file.original)
  if (state === 'live') return null
  if (isClaimed) throw new Error('the same bytes are being deleted')
  return holdObject(tx, sha256, HOLD_MS, toFacts(file))
}

async function release(
  tx: Transaction,
  removals: ReplacingParts['removals'],
  { original: { sha256 } }: VerifiedFile,
  heldUntil: Date,
): Promise<void> {
  await releaseObject(tx, sha256, heldUntil)
  await removals.add(tx, [sha256])
}

interface Replacement {
  readonly sha256: string
  readonly file: VerifiedFile
  readonly heldUntil: Date | null
}

async function replace(
  tx: Transaction,
  removals: ReplacingParts['removals'],
  { sha256, file, heldUntil }: Replacement,
): Promise<number> {
  const { original, width, height } = file
  for (const each of [sha256, original.sha256].sort()) await lockExistingObject(tx, each)
  const { state, isHeld } = await lockObject(tx, original, heldUntil)
  if (state !== 'live' && !isHeld) throw new Error('the hold expired while the cleaned file was put')
  const before = await tx.storedObject.findUniqueOrThrow({ where: { sha256 }, select: { size: true } })
  const moved = await moveToObject(tx, sha256, { ...original, width, height })
  await countOutAll(
    tx,
    moved.map(({ ownerId }) => ({ ownerId, size: before.size - original.size })),
  )
  const isNeeded = state === 'live' || moved.length > 0
  if (heldUntil && state === 'live') await releaseObject(tx, original.sha256, heldUntil)
  if (heldUntil && state !== 'live') {
    const facts = { ...toFacts(file), heldUntil, state: isNeeded ? ('live' as const) : ('deleting' as const) }
    await describeObject(tx, original.sha256, facts)
  }
  const unneeded = [...((await markUnneeded(tx, sha256)) ? [sha256] : []), ...(isNeeded ? [] : [original.sha256])]
  await removals.add(tx, unneeded)
  return moved.length
}
