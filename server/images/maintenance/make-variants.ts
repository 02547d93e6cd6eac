import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { type ObjectStore, originalKey } from '#server/storage/object-store.ts'
import type { TempFolder } from '#server/storage/temp-folder.ts'
import type { Decoder } from '../decoder/decoder.ts'
import { SNIFF_BYTES } from '../format.ts'
import { HOLD_MS, holdObject, lockExistingObject, lockObject, releaseObject } from '../storing/object-lock.ts'
import { putVariants } from '../storing/put-objects.ts'
import { describeVariants, type VerifiedFile } from '../storing/verified-file.ts'
import { verifyUpload } from '../uploading/receive-upload.ts'

export interface VariantParts {
  readonly db: PrismaClient
  readonly store: ObjectStore
  readonly decoder: Decoder
  readonly temp: TempFolder
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
  const file = await decodeOriginal(parts, sha256, folder.path, signal)
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

async function decodeOriginal(
  { store, decoder }: VariantParts,
  sha256: string,
  folder: string,
  signal: AbortSignal,
): Promise<VerifiedFile> {
  const path = join(folder, 'upload')
  const { body, size } = await store.open(originalKey(sha256))
  await pipeline(body, createWriteStream(path, { mode: 0o600 }), { signal })
  const verified = await verifyUpload(decoder, folder, { path, size, head: await readHead(path) })
  if (verified.outcome !== 'verified') throw new Error(`the decoder rejected the original: ${verified.outcome}`)
  return verified.file
}

async function readHead(path: string): Promise<Buffer> {
  await using file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

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
