import { CLEANING_VERSION } from '#server/cleaning/cleaning.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { updateImages } from '../image-rows.ts'
import { lockExistingObject } from '../storing/object-lock.ts'
import type { VerifiedFile } from '../storing/verified-file.ts'
import { type ReplacingParts, replaceObject } from './replace-object.ts'
import { type OriginalParts, verifyOriginal } from './verify-original.ts'

export interface CleaningParts extends OriginalParts, ReplacingParts {}

/** Refusals that depend on the moment, so that the next attempt may succeed. */
const passing: ReadonlySet<string> = new Set(['busy', 'too-costly'])

/**
 * Applies the current cleaning rules to an object that was stored under earlier ones, and returns how many images it has given
 * other bytes. An object that they refuse stays as it is: this is noted in its row, and thrown at each attempt without reading
 * the object again. Throws also if it must be retried. An interruption leaves the object due.
 */
export async function cleanAgain(parts: CleaningParts, sha256: string, signal: AbortSignal): Promise<number> {
  const { db, temp } = parts
  const row = await db.storedObject.findUnique({
    where: { sha256, state: 'live' },
    select: { cleaning: true, refusal: true },
  })
  const isRead = row !== null && row.cleaning >= CLEANING_VERSION
  if (isRead && row.refusal !== null) throw new Error(await describeRefusal(db, sha256, row.refusal))
  if (row === null || isRead) return 0
  await using folder = await temp.create()
  const verified = await verifyOriginal(parts, sha256, folder.path, signal)
  if (verified.outcome === 'verified') {
    if (verified.file.original.sha256 !== sha256) return await replaceObject(parts, sha256, verified.file)
    await acceptObject(db, verified.file)
    return 0
  }
  const { outcome } = verified
  if (passing.has(outcome)) throw new Error(`the stored file could not be cleaned again: ${outcome}`)
  await db.storedObject.updateMany({
    where: { sha256, state: 'live' },
    data: { cleaning: CLEANING_VERSION, refusal: outcome },
  })
  throw new Error(await describeRefusal(db, sha256, outcome))
}

/** Notes that the bytes stay. Earlier rules may have read another size from them, by which its variants were made too. */
function acceptObject(db: PrismaClient, { original, width, height }: VerifiedFile): Promise<void> {
  const { sha256 } = original
  return transact(db, async (tx) => {
    await lockExistingObject(tx, sha256)
    const resized = await updateImages(tx, { sha256, NOT: { width, height } }, { width, height })
    const due = resized.length > 0 ? { variantsDue: true } : {}
    await tx.storedObject.updateMany({
      where: { sha256, state: 'live' },
      data: { cleaning: CLEANING_VERSION, refusal: null, ...due },
    })
  })
}

/** Images that a message names, as many as fit. */
const NAMED = 3

async function describeRefusal(db: PrismaClient, sha256: string, refusal: string): Promise<string> {
  const images = await db.image.findMany({
    where: { sha256 },
    orderBy: { id: 'asc' },
    take: NAMED,
    select: { id: true },
  })
  return `the current cleaning rules refuse a stored file (${refusal}); images: ${images.map(({ id }) => id).join(', ')}`
}
