import type { PrismaClient } from '#server/database/database.ts'
import { type AddingParts, addVariants } from '../storing/add-variants.ts'
import { type OriginalParts, verifyOriginal } from './verify-original.ts'

export interface VariantParts extends OriginalParts, AddingParts {}

/**
 * Re-creates the variants of an object from its original and returns their number; null if they are not due. A variant that
 * the row does not reference was left out because it would have been no fewer bytes. An interruption leaves them due. Throws if
 * it must be retried or the original cannot be decoded.
 */
export async function makeVariants(parts: VariantParts, sha256: string, signal: AbortSignal): Promise<number | null> {
  const { db, temp } = parts
  if (!(await areDue(db, sha256))) return null
  await using folder = await temp.create()
  const verified = await verifyOriginal(parts, sha256, folder.path, signal)
  if (verified.outcome !== 'verified') throw new Error(`the decoder rejected the original: ${verified.outcome}`)
  const { variants } = verified.file
  const isAdded = await addVariants(parts, sha256, { variants, put: variants, onlyDue: true })
  return isAdded ? variants.length : null
}

const areDue = async (db: PrismaClient, sha256: string): Promise<boolean> =>
  (await db.storedObject.count({ where: { sha256, state: 'live', variantsDue: true } })) > 0
