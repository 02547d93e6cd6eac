import type { PhotoDetails } from '#server/cleaning/photo-details.ts'
import type { Transaction } from '#server/database/database.ts'
import { Conflict } from '#server/database/transact.ts'
import { formats } from '#server/images/format.ts'
import type { ImageRow } from '#server/images/image-row.ts'
import { insertImage, updateImages } from '#server/images/image-rows.ts'
import { newSlug } from '#server/images/slug.ts'
import { type VisibilityWish, visibilityChange } from '#server/images/visibility.ts'
import { countIn } from './owner-lock.ts'
import { type Room, readRoom } from './quota.ts'
import type { VerifiedFile } from './verified-file.ts'

export interface NewImage {
  readonly ownerId: string
  readonly filename: string
  readonly title: string
  readonly wish: VisibilityWish
  /** A guest's upload that waits for an admin. */
  readonly awaitsApproval?: boolean
}

export interface InsertOptions {
  /** The quota in bytes of owners without their own; null for unlimited. */
  readonly siteQuota: number | null
  /** Called for an image that is new to its owner, in the transaction that inserts it, after all other locks are taken. */
  readonly onStored?: ((tx: Transaction, image: ImageRow) => Promise<void>) | undefined
}

export type InsertOutcome =
  /** `isNew`: the owner did not have it before. */
  | { readonly outcome: 'stored'; readonly image: ImageRow; readonly isNew: boolean }
  /** `size` is that of the image. */
  | { readonly outcome: 'over-quota'; readonly room: Room; readonly size: number }
  /** The image exists, and its visibility may not become the requested one. */
  | { readonly outcome: 'other-visibility' }
  /** The account has been banned or deleted in the meantime. */
  | { readonly outcome: 'owner-gone' }

/**
 * Inserts the image, or finds the one that its owner already has. The object's row must be locked, and contain `facts` when the
 * transaction ends. Locks the owner's row. Throws Conflict.
 */
export async function insertOnce(
  tx: Transaction,
  file: VerifiedFile,
  image: NewImage,
  { siteQuota, onStored, facts }: InsertOptions & { readonly facts: ImageRow['object'] },
): Promise<InsertOutcome> {
  const { size } = file.original
  const { ownerId } = image
  const existing = await findKnown(tx, file, ownerId)
  if (existing) return keepKnown(tx, existing, image.wish)
  const counted = await countIn(tx, ownerId, size, siteQuota)
  if (counted) {
    const { keepsPhotoDetails, ...owner } = counted
    const photo = keepsPhotoDetails ? file.photo : {}
    const { frames, placeholder, variants, variantsDue, variantsReserved } = facts
    const object = { frames, placeholder, variants, variantsDue, variantsReserved }
    const inserted = { ...(await insert(tx, file, { ...image, ...photo })), object, owner }
    await onStored?.(tx, inserted)
    return { outcome: 'stored', image: inserted, isNew: true }
  }
  const room = await readRoom(tx, ownerId, siteQuota)
  return room ? { outcome: 'over-quota', room, size } : { outcome: 'owner-gone' }
}

function insert(
  tx: Transaction,
  file: VerifiedFile,
  image: NewImage & Partial<PhotoDetails>,
): Promise<Omit<ImageRow, 'object' | 'owner'>> {
  const { format, width, height, original, uploadSha256 } = file
  const { sha256, size } = original
  const { wish, ...facts } = image
  const { visibility } = wish
  const { mime } = formats[format]
  return insertImage(tx, { ...facts, visibility, sha256, uploadSha256, mime, width, height, size, slug: newSlug() })
}

const knownColumns = { id: true, sha256: true, visibility: true, owner: { select: { bannedAt: true } } } as const

interface KnownImage extends Pick<ImageRow, 'id' | 'sha256' | 'visibility'> {
  readonly owner: { readonly bannedAt: Date | null }
}

/** Returns the image that the owner already has of this file: by the stored bytes, or by the upload that they were made of. */
export async function findKnown(
  tx: Transaction,
  { original: { sha256 }, uploadSha256 }: Pick<VerifiedFile, 'original' | 'uploadSha256'>,
  ownerId: string,
): Promise<KnownImage | null> {
  const first = (alike: { sha256: string } | { uploadSha256: string }) =>
    tx.image.findFirst({ where: { ownerId, ...alike }, orderBy: { createdAt: 'asc' }, select: knownColumns })
  return (await first({ sha256 })) ?? (uploadSha256 === null ? null : first({ uploadSha256 }))
}

/**
 * Restores an existing image from the trash, if it is there, and changes its visibility as the upload requests. Changes nothing
 * if that is refused. Throws Conflict, so that the transaction is retried, if the visibility changes concurrently.
 */
export async function keepKnown(tx: Transaction, known: KnownImage, wish: VisibilityWish): Promise<InsertOutcome> {
  const { id, visibility, owner } = known
  if (owner.bannedAt) return { outcome: 'owner-gone' }
  if (wish.ofKnown === 'must-be' && visibility !== wish.visibility) return { outcome: 'other-visibility' }
  const change = wish.ofKnown === 'becomes' ? visibilityChange(known, wish.visibility) : {}
  const [image] = await updateImages(tx, { id, visibility }, { trashedAt: null, ...change })
  if (!image) throw new Conflict('Who may see the image has changed in the meantime')
  return { outcome: 'stored', image, isNew: false }
}
