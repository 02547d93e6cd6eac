import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { type ObjectKey, type ObjectStore, originalKey, variantKey } from '#server/storage/object-store.ts'
import { type ImageRow, imageColumns } from './image-row.ts'
import { lockObject } from './object-lock.ts'
import { holdOwner } from './owner-lock.ts'
import { newSlug } from './slug.ts'
import { variantWidths } from './variant.ts'

/** A file that lies in the temp folder, decoded and found good. */
export interface VerifiedFile {
  readonly sha256: string
  readonly original: LocalFile
  /** One for each of `variantWidths`, in their order. */
  readonly variants: readonly LocalFile[]
  readonly mime: string
  readonly width: number
  readonly height: number
}

export interface LocalFile {
  readonly path: string
  readonly size: number
}

export interface NewImage {
  readonly ownerId: string
  readonly filename: string
  readonly title: string
  readonly visibility: 'private' | 'link' | 'public'
}

/** A put of 25 MB into a distant bucket, made again while the row is locked, fits into this. */
const TRANSACTION_MS = 60_000

/**
 * Bytes, then object row, then image row: a crash between any two leaves garbage at most. Whoever uploads what they
 * have already gets the image they have, out of the trash if it lay there. Null when the owner has been deleted: the
 * object is then marked, unless somebody else has it, and for the caller to have removed.
 */
export async function storeImage(
  db: PrismaClient,
  store: ObjectStore,
  file: VerifiedFile,
  image: NewImage,
): Promise<ImageRow | null> {
  await putMissing(store, file)
  return db.$transaction(
    async (tx) => {
      const state = await lockObject(tx, file.sha256, file.original.size)
      const existing = await existingImage(tx, image.ownerId, file.sha256)
      if (existing) return existing
      // A purge may have removed the bytes since. While the row is locked none can; a `live` row vouches for them.
      if (state !== 'live') await putMissing(store, file)
      // Behind the bytes, for a deletion of the owner waits from here on.
      if (!(await holdOwner(tx, image.ownerId))) return null
      if (state !== 'live') await tx.storedObject.update({ where: { sha256: file.sha256 }, data: { state: 'live' } })
      return insertImage(tx, file, image)
    },
    { timeout: TRANSACTION_MS, maxWait: TRANSACTION_MS },
  )
}

async function putMissing(store: ObjectStore, file: VerifiedFile): Promise<void> {
  await putIfMissing(store, originalKey(file.sha256), file.original)
  for (const [index, width] of variantWidths.entries()) {
    const variant = file.variants[index]
    if (variant) await putIfMissing(store, variantKey(file.sha256, width), variant)
  }
}

async function putIfMissing(store: ObjectStore, key: ObjectKey, { path, size }: LocalFile): Promise<void> {
  if ((await store.sizeOf(key)) !== size) await store.put(key, { path }, size)
}

async function existingImage(tx: Transaction, ownerId: string, sha256: string): Promise<ImageRow | null> {
  const existing = await tx.image.findUnique({ where: { ownerId_sha256: { ownerId, sha256 } }, select: { id: true } })
  if (!existing) return null
  return tx.image.update({ where: { id: existing.id }, data: { trashedAt: null }, select: imageColumns })
}

function insertImage(tx: Transaction, file: VerifiedFile, image: NewImage): Promise<ImageRow> {
  const { sha256, mime, width, height, original } = file
  return tx.image.create({
    data: { ...image, sha256, mime, width, height, size: original.size, slug: newSlug() },
    select: imageColumns,
  })
}
