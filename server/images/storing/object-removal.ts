import type { PrismaClient } from '#server/database/database.ts'
import { type ObjectKey, type ObjectStore, originalKey, variantKey } from '#server/storage/object-store.ts'
import { type Claim, claimFound, claimMarked, endClaim } from './object-lock.ts'
import { parseVariants } from './stored-variants.ts'

/** Deletes begin and are aborted within this time after the claim: a third of the claim, the rest is for requests in flight. */
const DELETE_MS = 20_000

/**
 * Deletes the bytes of an object that is marked, then its row. Returns false if there is nothing to do now: an upload made it
 * live again or holds it, another removal has claimed it, or removals are paused. Can be repeated after any failure.
 *
 * A delete that failed or was aborted may still reach the store. The claim is then left to expire, and uploads of the same
 * bytes wait. Bytes are safe as long as the store performs no delete later than 40 s after its caller aborted it.
 */
export async function removeObject(
  db: PrismaClient,
  store: ObjectStore,
  sha256: string,
  deleteMs = DELETE_MS,
): Promise<boolean> {
  const signal = deadline(deleteMs)
  const claim = await claimMarked(db, sha256)
  if (!claim) return false
  await deleteAll(store, listObjectKeys(sha256, claim), signal)
  await endClaim(db, sha256, claim)
  return true
}

/**
 * Deletes those of an object's `found` keys that its row does not need, and all keys of a marked row. Returns the deleted keys;
 * null if the object is held or claimed, removals are paused, or the row needs all keys.
 */
export async function removeUnneeded(
  db: PrismaClient,
  store: ObjectStore,
  sha256: string,
  found: readonly ObjectKey[],
): Promise<readonly ObjectKey[] | null> {
  const signal = deadline(DELETE_MS)
  const claim = await claimFound(db, sha256)
  if (!claim) return null
  const spokenOf = listObjectKeys(sha256, claim)
  const unneeded =
    claim.state === 'live' ? found.filter((key) => !spokenOf.includes(key)) : [...new Set([...spokenOf, ...found])]
  await deleteAll(store, unneeded, signal)
  await endClaim(db, sha256, claim)
  return unneeded
}

/** The keys that an object's row refers to, the original last; with `variantsComing`, also of variants that are being stored. */
export const listObjectKeys = (
  sha256: string,
  { variants, variantsComing = [] }: Pick<Claim, 'variants'> & Partial<Pick<Claim, 'variantsComing'>>,
): readonly ObjectKey[] => [
  ...[variants, variantsComing]
    .flatMap(parseVariants)
    .map(({ width, sha256: hash }) => variantKey(sha256, width, hash)),
  originalKey(sha256),
]

/** Returns the objects whose bytes wait to be removed. */
export async function markedObjects(db: PrismaClient): Promise<string[]> {
  const rows = await db.storedObject.findMany({ where: { state: 'deleting' }, select: { sha256: true } })
  return rows.map(({ sha256 }) => sha256)
}

async function deleteAll(store: ObjectStore, keys: readonly ObjectKey[], signal: Deadline): Promise<void> {
  for (const key of keys) {
    signal.throwIfOver()
    await store.delete(key, signal.signal)
  }
}

interface Deadline {
  readonly signal: AbortSignal
  throwIfOver(): void
}

/** Checks the clock as well as the timer: a process that was stopped resumes before its timers fire. */
function deadline(ms: number): Deadline {
  const end = performance.now() + ms
  const signal = AbortSignal.timeout(ms)
  const throwIfOver = () => {
    signal.throwIfAborted()
    if (performance.now() > end) throw new DOMException('The removal took too long', 'TimeoutError')
  }
  return { signal, throwIfOver }
}
