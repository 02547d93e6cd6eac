import { setTimeout as wait } from 'node:timers/promises'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { type InsertOptions, type InsertOutcome, insertOnce, type NewImage } from './insert-image.ts'
import { describeObject, HOLD_MS, holdObject, lockObject, releaseObject } from './object-lock.ts'
import { putAll, putIfLost } from './put-objects.ts'
import { hasRoom, roomOf } from './quota.ts'
import { describeVariants, type VerifiedFile } from './verified-file.ts'

export interface StoringParts extends InsertOptions {
  readonly db: PrismaClient
  readonly store: ObjectStore
  /** Called for an object that an upload has stored in vain, in the transaction that releases it. */
  readonly unneeded: (tx: Transaction, sha256: string) => Promise<void>
  /** Counts the bytes that an upload adds to what is stored, behind all locks of its transaction: whether the site has room
   *  for so many. Throws where it has none for anybody. */
  readonly countStored?: ((tx: Transaction, bytes: number) => Promise<'fits' | 'too-large'>) | undefined
  /** Waits between two looks at bytes that are being removed; a test's own. */
  readonly pause?: (look: number) => Promise<void>
  /** How long a hold is good. */
  readonly holdMs?: number
}

export type StoreOutcome =
  | InsertOutcome
  /** The site has less room than it takes. */
  | { readonly outcome: 'over-site' }
  /** The same bytes are being removed right now, or putting them took too long, again and again. */
  | { readonly outcome: 'busy' }

type Begun = InsertOutcome | { readonly outcome: 'held'; readonly until: Date } | { readonly outcome: 'claimed' }

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
): Promise<InsertOutcome | null> {
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
): Promise<Exclude<InsertOutcome, { outcome: 'stored' }> | null> {
  const room = await roomOf(tx, ownerId, siteQuota)
  if (!room) return { outcome: 'owner-gone' }
  if (hasRoom(room, size)) return null
  const isKnown = await tx.image.findUnique({ where: { ownerId_sha256: { ownerId, sha256 } }, select: { id: true } })
  return isKnown ? null : { outcome: 'over-quota', room, size }
}

const longerAndLonger = (look: number): Promise<void> => wait(Math.min(25 * 2 ** look, 1_500))
