import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { type ObjectKey, type ObjectStore, originalKey, variantKey } from '#server/storage/object-store.ts'
import { type Format, formats } from './format.ts'
import type { HashedFile } from './hash-file.ts'
import { type ImageRow, imageColumns } from './image-row.ts'
import { lockObject } from './object-lock.ts'
import { holdOwner } from './owner-lock.ts'
import { newSlug } from './slug.ts'
import type { StoredVariant } from './stored-variants.ts'

/** A clean file that lies in the temp folder, decoded and found good. */
export interface VerifiedFile {
  readonly format: Format
  /** As it is to be looked at. */
  readonly width: number
  readonly height: number
  readonly frames: number
  /** ThumbHash in base64. */
  readonly placeholder: string
  readonly original: HashedFile
  readonly variants: readonly (HashedFile & StoredVariant)[]
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
      const { sha256, size } = file.original
      const state = await lockObject(tx, sha256, size)
      const existing = await existingImage(tx, image.ownerId, sha256)
      if (existing) return existing
      // A purge may have removed the bytes since. While the row is locked none can; a `live` row vouches for them.
      if (state !== 'live') await putMissing(store, file)
      // Behind the bytes, for a deletion of the owner waits from here on.
      const hasOwner = await holdOwner(tx, image.ownerId)
      const content = { ...contentOf(file), state: hasOwner ? 'live' : 'deleting' } as const
      if (state !== 'live') await tx.storedObject.update({ where: { sha256 }, data: content })
      return hasOwner ? insertImage(tx, file, image) : null
    },
    { timeout: TRANSACTION_MS, maxWait: TRANSACTION_MS },
  )
}

async function putMissing(store: ObjectStore, { original, variants }: VerifiedFile): Promise<void> {
  await putIfMissing(store, originalKey(original.sha256), original)
  for (const variant of variants) {
    await putIfMissing(store, variantKey(original.sha256, variant.width, variant.sha256), variant)
  }
}

async function putIfMissing(store: ObjectStore, key: ObjectKey, { path, size }: HashedFile): Promise<void> {
  if ((await store.sizeOf(key)) !== size) await store.put(key, { path }, size)
}

/** What an object's row tells of the bytes that are there. */
function contentOf({ frames, placeholder, variants }: VerifiedFile) {
  const kept = variants.map(({ width, size, sha256, frames }): StoredVariant => ({ width, size, sha256, frames }))
  return { frames, placeholder, variants: kept }
}

async function existingImage(tx: Transaction, ownerId: string, sha256: string): Promise<ImageRow | null> {
  const existing = await tx.image.findUnique({ where: { ownerId_sha256: { ownerId, sha256 } }, select: { id: true } })
  if (!existing) return null
  return tx.image.update({ where: { id: existing.id }, data: { trashedAt: null }, select: imageColumns })
}

function insertImage(tx: Transaction, file: VerifiedFile, image: NewImage): Promise<ImageRow> {
  const { format, width, height, original } = file
  const { sha256, size } = original
  return tx.image.create({
    data: { ...image, sha256, mime: formats[format].mime, width, height, size, slug: newSlug() },
    select: imageColumns,
  })
}
