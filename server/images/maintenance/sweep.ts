import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { lockExistingObject } from '../storing/object-lock.ts'
import { markedObjects, removeObject, removeUnneeded } from '../storing/object-removal.ts'
import { markUnneeded } from '../storing/purge-rows.ts'
import { repairLost } from './lost-variants.ts'
import { findOrphans, isDoubtful, type Orphans } from './orphans.ts'

export interface SweepParts {
  readonly db: PrismaClient
  readonly store: ObjectStore
  /** The folder for uploads in progress. */
  readonly temp: { removeOlder(before: Date): Promise<number> }
  readonly log: { error(details: object, message: string): void }
}

/** The maximum number of images that one sweep checks for lost variants. */
const MAX_LOST = 10_000

export interface SweepReport {
  /** All objects in the store. */
  listed: number
  listedBytes: number
  /** Unreferenced objects that were deleted. */
  orphans: number
  orphanBytes: number
  /** Objects marked for deletion that were deleted, including those that no image needed. */
  leftovers: number
  /** Deleted puts that were never completed, and temporary files of uploads. */
  unfinished: number
  temporary: number
  /** Images with a lost variant, which a job will re-create. */
  lost: number
  /** Objects left for the next sweep: held by an upload, too many, or the store failed. */
  remaining: number
}

/**
 * Deletes what crashes have left and no image needs: unreferenced objects last changed at `before` or earlier, objects marked
 * for deletion, rows without images, unfinished puts and temporary files. Each object is claimed first, so that a concurrent
 * upload of the same bytes loses nothing. With implausibly many orphans all of them are kept. Lost variants are marked to be
 * re-created.
 */
export async function sweep(parts: SweepParts, before: Date, signal?: AbortSignal): Promise<SweepReport> {
  const { db, store, temp } = parts
  const report: SweepReport = {
    ...{ listed: 0, listedBytes: 0, orphans: 0, orphanBytes: 0 },
    ...{ leftovers: 0, unfinished: 0, temporary: 0, lost: 0, remaining: 0 },
  }
  await markForgotten(db, signal)
  for (const sha256 of await markedObjects(db)) {
    signal?.throwIfAborted()
    const removed = await attempt(parts, sha256, () => removeObject(db, store, sha256))
    if (removed) report.leftovers += 1
    else report.remaining += 1
  }
  const orphans = await findOrphans(db, store, before, signal)
  report.listed = orphans.listed
  report.listedBytes = orphans.listedBytes
  await sweepOrphans(parts, orphans, report, signal)
  for (const [sha256, unlisted] of orphans.unlisted.variants().slice(0, MAX_LOST)) {
    signal?.throwIfAborted()
    if (await attempt(parts, sha256, () => repairLost(parts, sha256, unlisted, before))) report.lost += 1
  }
  report.unfinished = await store.removeUnfinished(before)
  report.temporary = await temp.removeOlder(before)
  return report
}

/** Marks live objects without images for deletion. There are none unless rows were deleted by hand. */
async function markForgotten(db: PrismaClient, signal: AbortSignal | undefined): Promise<void> {
  const where = { state: 'live', images: { none: {} } } as const
  const forgotten = await db.storedObject.findMany({ where, select: { sha256: true } })
  for (const { sha256 } of forgotten) {
    signal?.throwIfAborted()
    await transact(db, async (tx) => {
      await lockExistingObject(tx, sha256)
      await markUnneeded(tx, sha256)
    })
  }
}

async function sweepOrphans(
  parts: SweepParts,
  orphans: Orphans,
  report: SweepReport,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { db, store, log } = parts
  const { byImage, count, listed } = orphans
  if (isDoubtful(orphans)) {
    report.remaining += count
    const doubt =
      'a large part of the store is unknown to this database, so none of it was deleted: is it the right one?'
    log.error({ orphans: count, listed }, `${doubt} if it is, run npm run check:data -- --repair`)
    return
  }
  let left = count
  for (const [sha256, listed] of byImage) {
    signal?.throwIfAborted()
    const sizes = new Map(listed.map(({ key, size }) => [key, size]))
    const removed = await attempt(parts, sha256, () => removeUnneeded(db, store, sha256, [...sizes.keys()]))
    if (removed !== null) left -= listed.length
    for (const key of removed ?? []) {
      report.orphans += sizes.has(key) ? 1 : 0
      report.orphanBytes += sizes.get(key) ?? 0
    }
  }
  report.remaining += left
}

/** Returns null on failure, so that one object cannot hold up the others. */
async function attempt<T>({ log }: SweepParts, sha256: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    log.error({ err: error, sha256 }, 'could not sweep an object')
    return null
  }
}
