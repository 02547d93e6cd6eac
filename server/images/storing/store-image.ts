import { setTimeout as wait } from 'node:timers/promises'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { type Format, formats } from '#server/images/format.ts'
import { type ImageRow, imageColumns, ownColumns } from '#server/images/image-row.ts'
import { newSlug } from '#server/images/slug.ts'
import type { VisibilityWish } from '#server/images/visibility.ts'
import { BudgetSpent } from '#server/storage/meter.ts'
import { type ObjectStore, originalKey, variantKey } from '#server/storage/object-store.ts'
import { concludeUpload } from './conclude-upload.ts'
import type { HashedFile } from './hash-file.ts'
import { describeObject, HOLD_MS, holdObject, lockObject, releaseObject } from './object-lock.ts'
import { countIn } from './owner-lock.ts'
import { hasRoom, type Room, roomOf } from './quota.ts'
import type { StoredVariant } from './stored-variants.ts'

/** A cleaned file in the temp folder that has been decoded without errors. */
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
  /** Null where it is not known yet: a new image is private until `concludeUpload`, and one that is there is left alone. */
  readonly wish: VisibilityWish | null
}

export interface StoringParts {
  readonly db: PrismaClient
  readonly store: ObjectStore
  /** Bytes that an owner without a quota of their own may have; null for no end. */
  readonly siteQuota: number | null
  /** Called for an object that an upload has stored in vain, in the transaction that releases it. */
  readonly unneeded: (tx: Transaction, sha256: string) => Promise<void>
  /** Counts the bytes that an upload adds to what is stored, behind all locks of its transaction: whether the site has room
   *  for so many. Throws where it has none for anybody. */
  readonly countStored?: ((tx: Transaction, bytes: number) => Promise<'fits' | 'too-large'>) | undefined
  /** Called for an image that its owner did not have before, in the transaction that inserts it or sets its visibility,
   *  behind all other locks. */
  readonly onStored?: ((tx: Transaction, image: ImageRow) => Promise<void>) | undefined
  /** Waits between two looks at bytes that are being removed; a test's own. */
  readonly pause?: (look: number) => Promise<void>
  /** How long a hold is good. */
  readonly holdMs?: number
}

export type StoreOutcome =
  /** `isNew`: its owner did not have it before. */
  | { readonly outcome: 'stored'; readonly image: ImageRow; readonly isNew: boolean }
  /** `size` of the image. */
  | { readonly outcome: 'over-quota'; readonly room: Room; readonly size: number }
  /** It is there already, and is not to be as it was asked for. */
  | { readonly outcome: 'other-visibility' }
  /** The account has been banned or deleted meanwhile. */
  | { readonly outcome: 'owner-gone' }
  /** The site has less room than it takes. */
  | { readonly outcome: 'over-site' }
  /** The same bytes are being removed right now, or putting them took too long, again and again. */
  | { readonly outcome: 'busy' }

type Ended = Exclude<StoreOutcome, { outcome: 'busy' | 'over-site' }>
type Begun = Ended | { readonly outcome: 'held'; readonly until: Date } | { readonly outcome: 'claimed' }

/** Undoes the transaction that has counted an upload for which the site has too little room. */
class OverSite extends Error {}

/** Looks at bytes that are being removed: ten seconds, as `pause` lets them pass. */
const LOOKS = 12

/** Stores an image: first its bytes, then its row, so that a crash in between leaves garbage at most. Bytes that a
 *  `live` row vouches for are not stored again, unless the store has lost them. An owner who uploads an image again
 *  gets the one they have, out of the trash if need be, unless it is asked for with another visibility. */
export async function storeImage(parts: StoringParts, file: VerifiedFile, image: NewImage): Promise<StoreOutcome> {
  const { db, store, unneeded, pause = longerAndLonger } = parts
  const { sha256 } = file.original
  for (let look = 0; look < LOOKS; look += 1) {
    const begun = await transact(db, (tx) => begin(tx, file, image, parts)).catch((error: unknown) => {
      if (error instanceof OverSite) return { outcome: 'over-site' } as const
      throw error
    })
    if (begun.outcome === 'claimed') {
      await pause(look)
      continue
    }
    if (begun.outcome === 'stored') await putIfLost(store, file)
    if (begun.outcome !== 'held') return begun
    try {
      await putAll(store, file)
    } catch (error) {
      const release = async (tx: Transaction) => {
        await releaseObject(tx, sha256, begun.until)
        await unneeded(tx, sha256)
      }
      // When the database is away too, the hold expires by itself.
      await transact(db, release).catch(() => undefined)
      throw error
    }
    const ended = await transact(db, (tx) => end(tx, file, image, { ...parts, heldUntil: begun.until }))
    if (ended !== null) return ended
  }
  return { outcome: 'busy' }
}

/** Inserts the image where a live row vouches for the bytes, and otherwise holds the object for the caller to put them. */
async function begin(tx: Transaction, file: VerifiedFile, image: NewImage, parts: StoringParts): Promise<Begun> {
  const { siteQuota, countStored, holdMs = HOLD_MS } = parts
  const { sha256, size } = file.original
  // Asked before any row is made; what counts is decided with the row.
  const refusal = await refusalOf(tx, file, image, siteQuota)
  if (refusal) return refusal
  const locked = await lockObject(tx, { sha256, size })
  if (locked.state === 'live') return insertOnce(tx, file, image, { ...parts, facts: locked })
  if (locked.isClaimed) return { outcome: 'claimed' }
  // With what is put: whoever removes what a crash leaves is told of the variants.
  const until = await holdObject(tx, sha256, holdMs, factsOf(file))
  if ((await countStored?.(tx, bytesOf(file))) === 'too-large') throw new OverSite()
  return { outcome: 'held', until }
}

/** Inserts the image once its bytes are stored; null when the hold has expired and no live row vouches for the
 *  bytes. */
async function end(
  tx: Transaction,
  file: VerifiedFile,
  image: NewImage,
  { heldUntil, ...parts }: StoringParts & { readonly heldUntil: Date },
): Promise<Ended | null> {
  const { sha256 } = file.original
  const locked = await lockObject(tx, file.original, heldUntil)
  if (locked.state === 'live') {
    await releaseObject(tx, sha256, heldUntil)
    return insertOnce(tx, file, image, { ...parts, facts: locked })
  }
  if (!locked.isHeld) return null
  const facts = factsOf(file)
  const ended = await insertOnce(tx, file, image, { ...parts, facts })
  await describeObject(tx, sha256, { ...facts, heldUntil, state: ended.outcome === 'stored' ? 'live' : 'deleting' })
  if (ended.outcome !== 'stored') await parts.unneeded(tx, sha256)
  return ended
}

const factsOf = (file: VerifiedFile) => ({
  frames: file.frames,
  placeholder: file.placeholder,
  variants: describeVariants(file),
})

const bytesOf = ({ original, variants }: VerifiedFile): number =>
  variants.reduce((sum, { size }) => sum + size, original.size)

async function refusalOf(
  tx: Transaction,
  { original: { sha256, size } }: VerifiedFile,
  { ownerId }: NewImage,
  siteQuota: number | null,
): Promise<Exclude<Ended, { outcome: 'stored' }> | null> {
  const room = await roomOf(tx, ownerId, siteQuota)
  if (!room) return { outcome: 'owner-gone' }
  if (hasRoom(room, size)) return null
  const isKnown = await tx.image.findUnique({ where: { ownerId_sha256: { ownerId, sha256 } }, select: { id: true } })
  return isKnown ? null : { outcome: 'over-quota', room, size }
}

type Inserting = Pick<StoringParts, 'siteQuota' | 'onStored'> & { readonly facts: ImageRow['object'] }

/**
 * Inserts the image, or finds the one that its owner has. The object's row is locked, and says `facts` when the transaction
 * ends; the owner's is locked from here on.
 */
async function insertOnce(
  tx: Transaction,
  file: VerifiedFile,
  image: NewImage,
  { siteQuota, onStored, facts }: Inserting,
): Promise<Ended> {
  const { sha256, size } = file.original
  const { ownerId, wish } = image
  const where = { ownerId_sha256: { ownerId, sha256 } }
  const existing = await tx.image.findUnique({ where, select: { id: true } })
  if (existing && !wish) {
    return { outcome: 'stored', image: await tx.image.findUniqueOrThrow({ where, select: imageColumns }), isNew: false }
  }
  if (existing && wish) {
    const concluded = await concludeUpload(tx, { ...existing, isNew: false }, { wish, filename: '' }, onStored)
    if (concluded.outcome === 'stored') return { ...concluded, isNew: false }
    return { outcome: concluded.outcome === 'gone' ? 'other-visibility' : concluded.outcome }
  }
  const owner = await countIn(tx, ownerId, size, siteQuota)
  if (owner) {
    const { frames, placeholder, variants } = facts
    const inserted = { ...(await insert(tx, file, image)), object: { frames, placeholder, variants }, owner }
    if (wish) await onStored?.(tx, inserted)
    return { outcome: 'stored', image: inserted, isNew: true }
  }
  const room = await roomOf(tx, ownerId, siteQuota)
  return room ? { outcome: 'over-quota', room, size } : { outcome: 'owner-gone' }
}

function insert(tx: Transaction, file: VerifiedFile, image: NewImage): Promise<Omit<ImageRow, 'object' | 'owner'>> {
  const { format, width, height, original } = file
  const { sha256, size } = original
  const { wish, ...facts } = image
  const seenBy = { visibility: wish?.visibility ?? 'private', formOpen: !wish } as const
  return tx.image.create({
    data: { ...facts, ...seenBy, sha256, mime: formats[format].mime, width, height, size, slug: newSlug() },
    select: ownColumns,
  })
}

/**
 * Whoever sends lost bytes again must not be told in vain that they are kept. Needs no hold: no removal touches what an
 * image needs, and should that be purged meanwhile, correct bytes without a row are the sweep's.
 */
async function putIfLost(store: ObjectStore, file: VerifiedFile): Promise<void> {
  const { sha256, size } = file.original
  const found = await store.sizeOf(originalKey(sha256)).catch((error: unknown) => {
    // The image is there by now, and its row vouches for the bytes: no read is needed for that.
    if (error instanceof BudgetSpent) return size
    throw error
  })
  if (found !== size) await putAll(store, file)
}

/** Stores the bytes without asking whether they exist, which would be one more request for nearly every image. */
async function putAll(store: ObjectStore, file: VerifiedFile): Promise<void> {
  const { path, sha256, size } = file.original
  await putVariants(store, sha256, file)
  await store.put(originalKey(sha256), { path }, size)
}

/** The variants alone, of the object `image`, all at once. It ends when each has, for what is put later nobody would remove. */
export async function putVariants(store: ObjectStore, image: string, { variants }: VerifiedFile): Promise<void> {
  const puts = await Promise.allSettled(
    variants.map(({ width, sha256, size, path }) => store.put(variantKey(image, width, sha256), { path }, size)),
  )
  for (const put of puts) if (put.status === 'rejected') throw put.reason
}

/** The variants as an object's row stores them. */
export const describeVariants = ({ variants }: VerifiedFile): StoredVariant[] =>
  variants.map(({ width, size, sha256, frames }) => ({ width, size, sha256, frames }))

const longerAndLonger = (look: number): Promise<void> => wait(Math.min(25 * 2 ** look, 1_500))
