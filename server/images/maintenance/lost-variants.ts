import type { PrismaClient } from '#server/database/database.ts'
import { imageOfKey, type ObjectKey, type ObjectStore, originalKey } from '#server/storage/object-store.ts'
import type { StoredObject } from '../../../generated/prisma/client.ts'
import { listObjectKeys } from '../storing/object-removal.ts'
import { markDue } from './variant-jobs.ts'

/** The columns of a row that say which objects it references. */
export type ReferencingRow = Pick<StoredObject, 'sha256' | 'state' | 'variants' | 'variantsComing'>

/**
 * Finds out, while a store is listed, which images lack a variant. It remembers only images with some of their objects
 * listed, but not all: stores list the objects of an image together, though without a guarantee.
 */
export class Unlisted {
  readonly #left = new Map<string, Set<ObjectKey>>()

  /** Call with each batch of listed keys and the rows of their images. */
  see(keys: readonly ObjectKey[], rows: readonly ReferencingRow[]): void {
    const referencing = new Map(rows.map((row) => [row.sha256, row]))
    for (const key of keys) {
      const row = referencing.get(imageOfKey(key))
      if (row?.state !== 'live') continue
      const left = this.#left.get(row.sha256) ?? new Set(listObjectKeys(row.sha256, { variants: row.variants }))
      if (!left.delete(key)) continue
      if (left.size > 0) this.#left.set(row.sha256, left)
      else this.#left.delete(row.sha256)
    }
  }

  /** Returns, after the listing, the images with unlisted variants. Those without their original cannot be repaired. */
  variants(): (readonly [string, ReadonlySet<ObjectKey>])[] {
    return [...this.#left].filter(([sha256, left]) => !left.has(originalKey(sha256)))
  }
}

/** Marks an object's variants to be re-created within the hour, if the store really lacks one that its row references. Objects
 *  created after `before` are left alone, as an upload may be putting them. Returns whether it was marked. */
export async function repairLost(
  { db, store }: { readonly db: PrismaClient; readonly store: ObjectStore },
  sha256: string,
  unlisted: ReadonlySet<ObjectKey>,
  before: Date,
): Promise<boolean> {
  const where = { sha256, state: 'live', createdAt: { lte: before } } as const
  const row = await db.storedObject.findUnique({ where, select: { variants: true } })
  for (const key of row ? listObjectKeys(sha256, row) : []) {
    if (unlisted.has(key) && (await store.readSize(key)) === null) return (await markDue(db, sha256)).count > 0
  }
  return false
}
