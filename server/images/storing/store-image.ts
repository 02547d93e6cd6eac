import { setTimeout as wait } from 'node:timers/promises'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import {
  findKnown,
  type InsertOptions,
  type InsertOutcome,
  insertOnce,
  keepKnown,
  type NewImage,
} from './insert-image.ts'
import { describeObject, HOLD_MS, holdObject, type LockedObject, lockObject, releaseObject } from './object-lock.ts'
import { putAll, putIfLost } from './put-objects.ts'
import { hasRoom, readRoom } from './quota.ts'
import { parseVariants } from './stored-variants.ts'
import { toFacts, type VerifiedFile } from './verified-file.ts'

export interface StoringParts extends InsertOptions {
  readonly db: PrismaClient
  readonly store: ObjectStore
  /** Called for an object that an upload has stored without using it, in the transaction that releases it. */
  readonly unneeded: (tx: Transaction, sha256: string) => Promise<void>
  /** Counts the bytes that an upload adds, after all locks of its transaction, and returns whether the site has room for them,
   *  and for `known` bytes of it that are stored already. Throws if the site is full. */
  readonly countStored?: ((tx: Transaction, known: number) => Promise<'fits' | 'too-large'>) | undefined
  /** Waits between two checks of bytes that are being removed; replaced in tests. */
  readonly pause?: (look: number) => Promise<void>
  readonly holdMs?: number
}

export type StoreOutcome =
  | Exclude<InsertOutcome, { outcome: 'stored' }>
  /** `hasPut`: its bytes were stored, so that the variants which follow are to be stored too. */
  | (Extract<InsertOutcome, { outcome: 'stored' }> & { readonly hasPut: boolean })
  /** The image does not fit into the site's storage. */
  | { readonly outcome: 'over-site' }
  /** Repeatedly, the same bytes were being removed, or storing them took too long. */
  | { readonly outcome: 'busy' }

type Begun = InsertOutcome | { readonly outcome: 'held'; readonly until: Date } | { readonly outcome: 'claimed' }

/** Rolls back the transaction that has counted an upload for which the site has no room. */
class OverSite extends Error {}

/** How often bytes that are being removed are checked: for ten seconds with the default `pause`. */
const LOOKS = 12

/**
 * Stores an image: first its bytes, then its row, so that a crash in between leaves only unused bytes. An owner who uploads an
 * image again gets the existing one, restored from the trash if necessary, unless the upload may not have the visibility that it
 * requests; its bytes are stored again only if the store has lost them. For everyone else, bytes that exist are checked, stored
 * and paid for as if they were new: nothing that an upload takes or returns shows that somebody else has the image.
 */
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
    if (begun.outcome === 'stored') {
      const isSame = begun.image.sha256 === sha256
      return { ...begun, hasPut: isSame && (await putIfLost(store, file)) }
    }
    if (begun.outcome !== 'held') return begun
    try {
      await putAll(store, file)
    } catch (error) {
      const release = async (tx: Transaction) => {
        await releaseObject(tx, sha256, begun.until)
        await unneeded(tx, sha256)
      }
      // If the database is unavailable too, the hold expires.
      await transact(db, release).catch(() => undefined)
      throw error
    }
    const ended = await transact(db, (tx) => end(tx, file, image, { ...parts, heldUntil: begun.until }))
    if (ended?.outcome === 'stored') return { ...ended, hasPut: true }
    if (ended !== null) return ended
  }
  return { outcome: 'busy' }
}

/** Finds the image that its owner already has; otherwise holds the object for the caller to store the bytes. */
async function begin(tx: Transaction, file: VerifiedFile, image: NewImage, parts: StoringParts): Promise<Begun> {
  const { siteQuota, countStored, holdMs = HOLD_MS } = parts
  const { sha256, size } = file.original
  // An early check, before any row is inserted. The binding decision is made with the row.
  const refusal = await findRefusal(tx, file, image, siteQuota)
  if (refusal) return refusal
  const known = file.uploadSha256 === null ? null : await findKnown(tx, file, image.ownerId)
  if (known && known.sha256 !== sha256) return keepKnown(tx, known, image.wish)
  const locked = await lockObject(tx, { sha256, size })
  const isLive = locked.state === 'live'
  if (isLive && (await findKnown(tx, file, image.ownerId)))
    return insertOnce(tx, file, image, { ...parts, facts: locked })
  if (locked.isClaimed) return { outcome: 'claimed' }
  // The row names the variants, so that a removal after a crash finds them. A live row describes what is stored already.
  const until = await holdObject(tx, sha256, holdMs, isLive ? null : toFacts(file))
  if ((await countStored?.(tx, countKnown(locked, file))) === 'too-large') throw new OverSite()
  return { outcome: 'held', until }
}

/** Inserts the image once its bytes are stored. Returns null if the hold has expired and the object's row is not live. */
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
  const facts = toFacts(file)
  const ended = await insertOnce(tx, file, image, { ...parts, facts })
  await describeObject(tx, sha256, { ...facts, heldUntil, state: ended.outcome === 'stored' ? 'live' : 'deleting' })
  if (ended.outcome !== 'stored') await parts.unneeded(tx, sha256)
  return ended
}

/** The bytes that the site counts already, which an upload of new bytes would add. */
function countKnown({ isNew, state, variants, variantsReserved }: LockedObject, file: VerifiedFile): number {
  if (isNew) return 0
  const [counted, reserved] =
    state === 'live' ? [file.variants, file.reserved] : [parseVariants(variants), variantsReserved]
  return counted.reduce((sum, { size }) => sum + size, file.original.size + reserved)
}

async function findRefusal(
  tx: Transaction,
  file: VerifiedFile,
  image: NewImage,
  siteQuota: number | null,
): Promise<Exclude<InsertOutcome, { outcome: 'stored' }> | null> {
  const { size } = file.original
  const room = await readRoom(tx, image.ownerId, siteQuota)
  if (!room) return { outcome: 'owner-gone' }
  if (hasRoom(room, size) || (await findKnown(tx, file, image.ownerId))) return null
  return { outcome: 'over-quota', room, size }
}

const longerAndLonger = (look: number): Promise<void> => wait(Math.min(25 * 2 ** look, 1_500))
