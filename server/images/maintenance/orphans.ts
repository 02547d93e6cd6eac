import type { PrismaClient } from '#server/database/database.ts'
import { imageOfKey, type ListedObject, type ObjectKey, type ObjectStore } from '#server/storage/object-store.ts'
import { listObjectKeys } from '../storing/object-removal.ts'
import { type ReferencingRow, Unlisted } from './lost-variants.ts'

/** Objects looked up in the database at once. */
const BATCH = 500
/** The maximum number of orphans deleted by one sweep. */
const MAX_ORPHANS = 10_000

/** Objects in the store that no row references. */
export interface Orphans {
  /** At most MAX_ORPHANS of them. */
  readonly byImage: ReadonlyMap<string, readonly ListedObject[]>
  /** All of them. */
  readonly count: number
  /** All objects in the store. */
  readonly listed: number
  readonly listedBytes: number
  /** Objects that rows reference but the store has not listed. */
  readonly unlisted: Unlisted
}

/** Lists a store and finds its orphans that were last changed at `before` or earlier, and what it has not listed. */
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
    const rows = await findRows(db, objects)
    unlisted.see(
      objects.map(({ key }) => key),
      rows,
    )
    const old = objects.filter(({ modifiedAt }) => modifiedAt <= before)
    for (const [sha256, listed] of groupUnreferenced(rows, old)) {
      if (found.count < MAX_ORPHANS) byImage.set(sha256, [...(byImage.get(sha256) ?? []), ...listed])
      found.count += listed.length
    }
  }
  return { byImage, unlisted, ...found }
}

/**
 * Rows reference objects before these are put, so a crash leaves hardly any orphans. More than this many, and more than a
 * tenth of the store, mean that the store belongs to another database or that this one has lost rows; then the sweep
 * deletes none of them.
 */
const FEW_ORPHANS = 20

/** Returns whether there are implausibly many orphans. */
export const isDoubtful = ({ count, listed }: Orphans): boolean => count > FEW_ORPHANS && count > listed / 10

/** Returns those of the objects that no row references, by image. */
export async function findUnreferenced(
  db: PrismaClient,
  objects: readonly ListedObject[],
): Promise<ReadonlyMap<string, ListedObject[]>> {
  return groupUnreferenced(await findRows(db, objects), objects)
}

const findRows = (db: PrismaClient, objects: readonly ListedObject[]): Promise<ReferencingRow[]> =>
  db.storedObject.findMany({
    where: { sha256: { in: [...new Set(objects.map(({ key }) => imageOfKey(key)))] } },
    select: { sha256: true, state: true, variants: true, variantsComing: true },
  })

function groupUnreferenced(
  rows: readonly ReferencingRow[],
  objects: readonly ListedObject[],
): Map<string, ListedObject[]> {
  const referenced = new Set<ObjectKey>(rows.flatMap((row) => listObjectKeys(row.sha256, row)))
  const unreferenced = objects.filter(({ key }) => !referenced.has(key))
  return Map.groupBy(unreferenced, ({ key }) => imageOfKey(key))
}

/** Groups items into batches of at most `size`. */
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
