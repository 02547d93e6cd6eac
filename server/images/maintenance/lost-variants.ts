import type { PrismaClient } from '#server/database/database.ts'
import { imageOfKey, type ObjectKey, type ObjectStore, originalKey } from '#server/storage/object-store.ts'
import type { StoredObject } from '../../../generated/prisma/client.ts'
import { keysOf } from '../storing/object-removal.ts'
import { markDue } from './variant-jobs.ts'

/** A row, with what it speaks of. */
export type SpokenRow = Pick<StoredObject, 'sha256' | 'state' | 'variants'>

/** Finds out, as a store is listed, which of the objects that have their original lack a variant. It keeps those that were
 *  not listed whole yet: stores list what belongs to an image together, though they promise no order. */
export class Unlisted {
  readonly #left = new Map<string, Set<ObjectKey>>()

  /** So much was listed, and these are its rows. */
  see(keys: readonly ObjectKey[], rows: readonly SpokenRow[]): void {
    const spoken = new Map(rows.map((row) => [row.sha256, row]))
    for (const key of keys) {
      const row = spoken.get(imageOfKey(key))
      if (row?.state !== 'live') continue
      const left = this.#left.get(row.sha256) ?? new Set(keysOf(row.sha256, row))
      if (!left.delete(key)) continue
      if (left.size > 0) this.#left.set(row.sha256, left)
      else this.#left.delete(row.sha256)
    }
  }

  /** Once all is listed: the images, and what was not listed of each. One without its original cannot be mended from it. */
  variants(): (readonly [string, ReadonlySet<ObjectKey>])[] {
    return [...this.#left].filter(([sha256, left]) => !left.has(originalKey(sha256)))
  }
}

/** Has the variants of an object made anew within the hour, if its row still speaks of one that the store does not have.
 *  Objects that came at `before` or later are left alone: an upload may be putting them. Answers whether it does. */
export async function mendLost(
  { db, store }: { readonly db: PrismaClient; readonly store: ObjectStore },
  sha256: string,
  unlisted: ReadonlySet<ObjectKey>,
  before: Date,
): Promise<boolean> {
  const where = { sha256, state: 'live', createdAt: { lte: before } } as const
  const row = await db.storedObject.findUnique({ where, select: { variants: true } })
  for (const key of row ? keysOf(sha256, row) : []) {
    if (unlisted.has(key) && (await store.sizeOf(key)) === null) return (await markDue(db, sha256)).count > 0
  }
  return false
}
