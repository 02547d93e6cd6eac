import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { lockExistingObject } from '../storing/object-lock.ts'
import { markedObjects, removeObject, removeUnneeded } from '../storing/object-removal.ts'
import { markUnneeded } from '../storing/purge-rows.ts'
import { mendLost } from './lost-variants.ts'
import { findOrphans, isDoubtful, type Orphans } from './orphans.ts'

export interface SweepParts {
  readonly db: PrismaClient
  readonly store: ObjectStore
  /** The folder where uploads grow. */
  readonly temp: { removeOlder(before: Date): Promise<number> }
  readonly log: { error(details: object, message: string): void }
}

/** Objects of which one sweep looks for a variant that was not listed, at most. */
const MAX_LOST = 10_000

/** What a sweep saw and did; it removes only what no image needs. */
export interface SweepReport {
  /** Objects that the store has. */
  listed: number
  listedBytes: number
  /** Objects that no row spoke of, now gone. */
  orphans: number
  orphanBytes: number
  /** Marked rows whose bytes are gone now, those that no image needed among them. */
  leftovers: number
  /** Puts that never ended, and temporary files of uploads. */
  unfinished: number
  temporary: number
  /** Objects with a variant that the store has lost: a job makes them anew. */
  lost: number
  /** What was not removed this time: held by an upload, the store failed, or too much. The next sweep comes back to it. */
  remaining: number
}

/**
 * Removes what a crash left and no image needs: bytes that no row speaks of, last changed at `before` or earlier, rows
 * whose bytes wait to be removed, rows without images, unfinished puts, temporary files. Each object is claimed first, so
 * that an upload of the same content at any moment loses nothing. Where there are suspiciously many orphans all are kept.
 * Variants that the store has lost are left to be made anew.
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
    if (await attempt(parts, sha256, () => mendLost(parts, sha256, unlisted, before))) report.lost += 1
  }
  report.unfinished = await store.removeUnfinished(before)
  report.temporary = await temp.removeOlder(before)
  return report
}

/** Marks live objects that no image needs: there are none unless somebody deleted rows by hand. */
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
    const doubt = 'no row speaks of a large part of the store, and none of that is removed: is this its database?'
    log.error({ orphans: count, listed }, `${doubt} If it is: npm run check:data -- --repair`)
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

/** Null when it could not be done this time; one that fails holds up no other. */
async function attempt<T>({ log }: SweepParts, sha256: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    log.error({ err: error, sha256 }, 'an object could not be swept yet')
    return null
  }
}
