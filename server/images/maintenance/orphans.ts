import type { PrismaClient } from '#server/database/database.ts'
import { imageOfKey, type ListedObject, type ObjectKey, type ObjectStore } from '#server/storage/object-store.ts'
import { keysOf } from '../storing/object-removal.ts'
import { type SpokenRow, Unlisted } from './lost-variants.ts'

/** Objects looked up in the database at once. */
const BATCH = 500
/** Orphans that one sweep removes at most. */
const MAX_ORPHANS = 10_000

/** What the store has and no row speaks of. */
export interface Orphans {
  readonly byImage: ReadonlyMap<string, readonly ListedObject[]>
  /** Of all there are, which may be more than one sweep removes. */
  readonly count: number
  /** Everything the store has. */
  readonly listed: number
  readonly listedBytes: number
  /** What rows speak of and the store does not have. */
  readonly unlisted: Unlisted
}

/** Counts what a store has, and finds what no row speaks of, last changed at `before` or earlier, and what was not listed. */
export async function findOrphans(
  db: PrismaClient,
  store: ObjectStore,
  before: Date,
  signal: AbortSignal | undefined,
): Promise<Orphans> {
  const byImage = new Map<string, ListedObject[]>()
  const found = { count: 0, listed: 0, listedBytes: 0 }
  const unlisted = new Unlisted()
  for await (const objects of batches(store.list(''), BATCH)) {
    signal?.throwIfAborted()
    found.listed += objects.length
    found.listedBytes += objects.reduce((sum, { size }) => sum + size, 0)
    const rows = await rowsOf(db, objects)
    unlisted.see(
      objects.map(({ key }) => key),
      rows,
    )
    const old = objects.filter(({ modifiedAt }) => modifiedAt <= before)
    for (const [sha256, listed] of unspokenIn(rows, old)) {
      if (found.count < MAX_ORPHANS) byImage.set(sha256, [...(byImage.get(sha256) ?? []), ...listed])
      found.count += listed.length
    }
  }
  return { byImage, unlisted, ...found }
}

/**
 * Rows speak of bytes before they are put, so a crash leaves next to no orphans. More of them than this, and than a tenth
 * of what the store has, say that the store belongs to another database, or that this one has lost rows.
 */
const FEW_ORPHANS = 20

/** Whether there are more orphans than can be true. */
export const isDoubtful = ({ count, listed }: Orphans): boolean => count > FEW_ORPHANS && count > listed / 10

/** Those of some objects that no row speaks of, by image. */
export async function unspokenOf(
  db: PrismaClient,
  objects: readonly ListedObject[],
): Promise<ReadonlyMap<string, ListedObject[]>> {
  return unspokenIn(await rowsOf(db, objects), objects)
}

const rowsOf = (db: PrismaClient, objects: readonly ListedObject[]): Promise<SpokenRow[]> =>
  db.storedObject.findMany({
    where: { sha256: { in: [...new Set(objects.map(({ key }) => imageOfKey(key)))] } },
    select: { sha256: true, state: true, variants: true },
  })

function unspokenIn(rows: readonly SpokenRow[], objects: readonly ListedObject[]): Map<string, ListedObject[]> {
  const spokenOf = new Set<ObjectKey>(rows.flatMap((row) => keysOf(row.sha256, row)))
  const unspoken = objects.filter(({ key }) => !spokenOf.has(key))
  return Map.groupBy(unspoken, ({ key }) => imageOfKey(key))
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
