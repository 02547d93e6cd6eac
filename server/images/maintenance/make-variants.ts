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
import { describeVariants, putVariants, type VerifiedFile } from '../storing/store-image.ts'
import { verifyUpload } from '../uploading/accept-upload.ts'

export interface VariantParts {
  readonly db: PrismaClient
  readonly store: ObjectStore
  readonly decoder: Decoder
  readonly temp: TempFolder
}

/**
 * Makes the variants of an object anew from its original, where they are due, and answers how many; null where they are not.
 * The object is held while they are put, as by an upload, and only then does its row speak of them: whatever ends this
 * before leaves them due. Throws where it has to be tried again, or the original will not do.
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
    return await transact(db, (tx) => speakOf(tx, sha256, file, until))
  } catch (error) {
    // The hold lapses by itself where the database is away too.
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
  const verified = await verifyUpload(decoder, folder, { path, size, head: await headOf(path) })
  if (verified.outcome !== 'verified') throw new Error(`The decoder says of the original: ${verified.outcome}`)
  return verified.file
}

async function headOf(path: string): Promise<Buffer> {
  await using file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

/** Null where nothing is due any more. */
async function hold(tx: Transaction, sha256: string): Promise<Date | null> {
  await lockExistingObject(tx, sha256)
  const object = await dueObject(tx, sha256)
  if (!object) return null
  const { isClaimed } = await lockObject(tx, { sha256, size: object.size })
  if (isClaimed) throw new Error('Bytes of it are being removed just now.')
  return holdObject(tx, sha256, HOLD_MS)
}

/** A row that is marked meanwhile is told too: so its removal knows of them. */
async function speakOf(tx: Transaction, sha256: string, file: VerifiedFile, until: Date): Promise<number> {
  await lockExistingObject(tx, sha256)
  const { size } = await tx.storedObject.findUniqueOrThrow({ where: { sha256 }, select: { size: true } })
  const { isHeld } = await lockObject(tx, { sha256, size }, until)
  if (!isHeld) throw new Error('Putting them took too long.')
  await releaseObject(tx, sha256, until)
  const data = { variants: describeVariants(file), variantsDue: false }
  await tx.storedObject.update({ where: { sha256 }, data, select: { sha256: true } })
  return file.variants.length
}
