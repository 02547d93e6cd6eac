import type { Transaction } from '#server/database/database.ts'
import { Conflict } from '#server/database/transact.ts'
import { formats } from '#server/images/format.ts'
import type { ImageRow } from '#server/images/image-row.ts'
import { insertImage, updateImages } from '#server/images/image-rows.ts'
import { newSlug } from '#server/images/slug.ts'
import { type VisibilityWish, visibilityChange } from '#server/images/visibility.ts'
import { countIn } from './owner-lock.ts'
import { type Room, roomOf } from './quota.ts'
import type { VerifiedFile } from './verified-file.ts'

export interface NewImage {
  readonly ownerId: string
  readonly filename: string
  readonly title: string
  readonly wish: VisibilityWish
}

export interface InsertOptions {
  /** Bytes that an owner without a quota of their own may have; null for no end. */
  readonly siteQuota: number | null
  /** Called for an image that its owner did not have before, in the transaction that inserts it, behind all other locks. */
  readonly onStored?: ((tx: Transaction, image: ImageRow) => Promise<void>) | undefined
}

export type InsertOutcome =
  /** `isNew`: its owner did not have it before. */
  | { readonly outcome: 'stored'; readonly image: ImageRow; readonly isNew: boolean }
  /** `size` of the image. */
  | { readonly outcome: 'over-quota'; readonly room: Room; readonly size: number }
  /** It is there already, and is not to be as it was asked for. */
  | { readonly outcome: 'other-visibility' }
  /** The account has been banned or deleted in the meantime. */
  | { readonly outcome: 'owner-gone' }

/**
 * Inserts the image, or finds the one that its owner has. The object's row is locked, and says `facts` when the transaction
 * ends; the owner's is locked from here on. Throws Conflict.
 */
export async function insertOnce(
  tx: Transaction,
  file: VerifiedFile,
  image: NewImage,
  { siteQuota, onStored, facts }: InsertOptions & { readonly facts: ImageRow['object'] },
): Promise<InsertOutcome> {
  const { sha256, size } = file.original
  const { ownerId } = image
  const where = { ownerId_sha256: { ownerId, sha256 } }
  const existing = await tx.image.findUnique({ where, select: knownColumns })
  if (existing) return keepKnown(tx, existing, image.wish)
  const owner = await countIn(tx, ownerId, size, siteQuota)
  if (owner) {
    const { frames, placeholder, variants } = facts
    const inserted = { ...(await insert(tx, file, image)), object: { frames, placeholder, variants }, owner }
    await onStored?.(tx, inserted)
    return { outcome: 'stored', image: inserted, isNew: true }
  }
  const room = await roomOf(tx, ownerId, siteQuota)
  return room ? { outcome: 'over-quota', room, size } : { outcome: 'owner-gone' }
}

function insert(tx: Transaction, file: VerifiedFile, image: NewImage): Promise<Omit<ImageRow, 'object' | 'owner'>> {
  const { format, width, height, original } = file
  const { sha256, size } = original
  const { wish, ...facts } = image
  const { visibility } = wish
  const { mime } = formats[format]
  return insertImage(tx, { ...facts, visibility, sha256, mime, width, height, size, slug: newSlug() })
}

const knownColumns = { id: true, visibility: true, owner: { select: { bannedAt: true } } } as const

interface KnownImage extends Pick<ImageRow, 'id' | 'visibility'> {
  readonly owner: { readonly bannedAt: Date | null }
}

/**
 * Takes an image that its owner has already out of the trash, if it lies there, and changes who may see it as the upload asks;
 * nothing is changed where that is refused. Throws Conflict, so that the transaction is made again, when somebody else changes
 * who may see it at the same time.
 */
async function keepKnown(tx: Transaction, known: KnownImage, wish: VisibilityWish): Promise<InsertOutcome> {
  const { id, visibility, owner } = known
  if (owner.bannedAt) return { outcome: 'owner-gone' }
  if (wish.ofKnown === 'must-be' && visibility !== wish.visibility) return { outcome: 'other-visibility' }
  const change = wish.ofKnown === 'becomes' ? visibilityChange(known, wish.visibility) : {}
  const [image] = await updateImages(tx, { id, visibility }, { trashedAt: null, ...change })
  if (!image) throw new Conflict('Who may see the image has changed in the meantime')
  return { outcome: 'stored', image, isNew: false }
}
