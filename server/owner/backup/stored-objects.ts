import { rm } from 'node:fs/promises'
import type { ObjectKey, ObjectStore } from '#server/storage/object-store.ts'
import { fetchObject } from './fetch-object.ts'
import { BackupFailed } from './format.ts'
import { mapAhead } from './map-ahead.ts'
import type { NamedObject } from './table-lines.ts'

/** Objects passed on at once. */
const CONCURRENCY = 8

/** The objects of a backup whose file has none. */
export interface StoredReader {
  readonly store: ObjectStore
  /** Called for each object that is missing or corrupt there; without it, the first one ends the reading. */
  readonly lost?: (key: ObjectKey) => void
}

interface Reader {
  /** For a few objects at a time. */
  readonly folder: string
  /** Called for each verified copy, concurrently for several. Without it, nothing is read, and sizes alone are compared. */
  readonly object?: (key: ObjectKey, copy: { readonly path: string; readonly size: number }) => Promise<void>
  readonly progress?: (bytes: number, of: number) => void
  /** Bytes of all objects. */
  readonly of: number
  /** Those that were damaged when the backup was made. */
  readonly damaged: readonly string[]
}

/** Reads the objects of a backup from the store, or finds out whether it has them. Throws BackupFailed if one is missing or corrupt. */
export async function readStored(
  { store, lost = refuseLost }: StoredReader,
  objects: AsyncIterable<NamedObject>,
  { folder, object, progress, of, damaged }: Reader,
): Promise<void> {
  const known = new Set(damaged)
  let bytes = 0
  const read = async ({ key, size }: NamedObject) => {
    if (known.has(key)) return
    if (object) {
      const { copy } = await fetchObject(store, key, folder)
      if (copy) await object(key, copy).finally(() => rm(copy.path, { force: true }))
      else lost(key)
    } else if ((await readListed(key)) !== size) lost(key)
    bytes += size
    progress?.(bytes, of)
  }
  const readListed = sizesByPrefix(store)
  for await (const _ of mapAhead(objects, CONCURRENCY, read));
}

function refuseLost(key: ObjectKey): never {
  throw new BackupFailed(`The object ${key} is missing or damaged there. Choose another snapshot.`)
}

/** Returns a function that returns sizes of objects, asked for in the order of their keys; null for a missing one. */
export function sizesByPrefix(store: ObjectStore): (key: string) => Promise<number | null> {
  let listed: { readonly prefix: string; readonly sizes: Promise<ReadonlyMap<string, number>> } | null = null
  return async (key) => {
    const prefix = key.slice(0, 1)
    // One prefix at a time, so that not all keys are in memory.
    if (listed?.prefix !== prefix) listed = { prefix, sizes: listSizes(store, prefix) }
    return (await listed.sizes).get(key) ?? null
  }
}

/** Returns the sizes of the objects whose keys begin with `prefix`. */
export async function listSizes(store: ObjectStore, prefix: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { key, size } of store.list(prefix)) sizes.set(key, size)
  return sizes
}
