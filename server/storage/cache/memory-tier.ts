import { LRUCache } from 'lru-cache'
import type { ObjectKey } from '../object-store.ts'

/** Bytes of the largest object that is kept in memory, and that is read in one piece. */
export const SMALL_BYTES = 256 * 1024
/** Bytes of a process's memory. */
const CAPACITY = 16 * 1024 * 1024

interface Held {
  readonly bytes: Buffer
  /** Of the copy on the disk that it was read from; null without one. */
  readonly id: number | null
}

/** One read of an object that may come into memory. */
export interface Reading extends Disposable {
  /** Holds the bytes, which are verified, unless the object was removed since the read began. `id` is that of the copy on the
   *  disk, null without one. */
  hold(bytes: Buffer, id: number | null): void
}

/** Small objects in the memory of this process, verified; those that were used least recently make room. */
export class MemoryTier {
  readonly #held: LRUCache<ObjectKey, Held>
  readonly #readings = new Set<{ readonly key: ObjectKey; isRemoved: boolean }>()

  /** `ttl`: milliseconds after which an object is forgotten, where no other process can say that it was removed; 0 for
   *  never. */
  constructor({ ttl }: { readonly ttl: number }) {
    this.#held = new LRUCache({ maxSize: CAPACITY, sizeCalculation: ({ bytes }) => bytes.length || 1, ttl })
  }

  get(key: ObjectKey): Held | null {
    return this.#held.get(key) ?? null
  }

  /** To be begun before the store is asked, and disposed of when the read has ended. */
  reading(key: ObjectKey): Reading {
    const reading = { key, isRemoved: false }
    this.#readings.add(reading)
    return {
      hold: (bytes, id) => {
        if (!reading.isRemoved && bytes.length <= SMALL_BYTES) this.#held.set(key, { bytes, id })
      },
      [Symbol.dispose]: () => void this.#readings.delete(reading),
    }
  }

  /** The object is removed: what is read of it now is not held either. */
  delete(key: ObjectKey): void {
    this.#held.delete(key)
    for (const reading of this.#readings) if (reading.key === key) reading.isRemoved = true
  }

  /** Any object may be removed. */
  clear(): void {
    this.#held.clear()
    for (const reading of this.#readings) reading.isRemoved = true
  }

  get maxBytes(): number {
    return this.#held.maxSize
  }

  get objects(): number {
    return this.#held.size
  }

  get bytes(): number {
    return this.#held.calculatedSize
  }
}
