import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { imageOfKey, type ListedObject, type ObjectKey, type ObjectStore } from '#server/storage/object-store.ts'
import { lockExistingObject } from './object-lock.ts'
import { keysOf, markedObjects, removeObject, removeUnneeded } from './object-removal.ts'
import { markUnneeded } from './purge-rows.ts'

export interface SweepParts {
  readonly db: PrismaClient
  readonly store: ObjectStore
  /** The folder where uploads grow. */
  readonly temp: { removeOlder(before: Date): Promise<number> }
  readonly log: { error(details: object, message: string): void }
}

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
  /** What could not be removed this time: held by an upload, or the store failed. The next sweep comes back to it. */
  remaining: number
}

/** Objects looked up in the database at once. */
const BATCH = 500

/**
 * Removes what a crash left and no image needs: bytes that no row speaks of, last changed at `before` or earlier, rows
 * whose bytes wait to be removed, rows without images, unfinished puts, temporary files. Each object is claimed first, so
 * that an upload of the same content at any moment loses nothing.
 */
export async function sweep(parts: SweepParts, before: Date, signal?: AbortSignal): Promise<SweepReport> {
  const { db, store, temp } = parts
  const report: SweepReport = {
    ...{ listed: 0, listedBytes: 0, orphans: 0, orphanBytes: 0 },
    ...{ leftovers: 0, unfinished: 0, temporary: 0, remaining: 0 },
  }
  await markForgotten(db, signal)
  for (const sha256 of await markedObjects(db)) {
    signal?.throwIfAborted()
    const removed = await attempt(parts, sha256, () => removeObject(db, store, sha256))
    if (removed) report.leftovers += 1
    else report.remaining += 1
  }
  for await (const objects of batches(store.list(''), BATCH)) {
    signal?.throwIfAborted()
    report.listed += objects.length
    report.listedBytes += objects.reduce((sum, { size }) => sum + size, 0)
    await sweepObjects(
      parts,
      objects.filter(({ modifiedAt }) => modifiedAt <= before),
      report,
    )
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

/** Removes those of some objects that no row speaks of. */
async function sweepObjects(parts: SweepParts, objects: readonly ListedObject[], report: SweepReport): Promise<void> {
  const { db, store } = parts
  for (const [sha256, listed] of await unspokenOf(db, objects)) {
    const sizes = new Map(listed.map(({ key, size }) => [key, size]))
    const removed = await attempt(parts, sha256, () => removeUnneeded(db, store, sha256, [...sizes.keys()]))
    if (removed === null) report.remaining += listed.length
    for (const key of removed ?? []) {
      report.orphans += sizes.has(key) ? 1 : 0
      report.orphanBytes += sizes.get(key) ?? 0
    }
  }
}

/** Those of some objects that no row speaks of, by image. */
export async function unspokenOf(
  db: PrismaClient,
  objects: readonly ListedObject[],
): Promise<ReadonlyMap<string, ListedObject[]>> {
  const images = [...new Set(objects.map(({ key }) => imageOfKey(key)))]
  const rows = await db.storedObject.findMany({
    where: { sha256: { in: images } },
    select: { sha256: true, variants: true },
  })
  const spokenOf = new Set<ObjectKey>(rows.flatMap((row) => keysOf(row.sha256, row)))
  const unspoken = objects.filter(({ key }) => !spokenOf.has(key))
  return Map.groupBy(unspoken, ({ key }) => imageOfKey(key))
}

/** Null when it could not be done this time; one that fails holds up no other. */
async function attempt<T>({ log }: SweepParts, sha256: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    log.error({ err: error, sha256 }, 'unused bytes could not be removed yet')
    return null
  }
}

/** What comes one by one, some at a time. */
export async function* batches<T>(items: AsyncIterable<T>, size: number): AsyncIterable<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
