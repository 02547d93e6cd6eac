import { LRUCache } from 'lru-cache'
import type { ObjectKey } from '../object-store.ts'

/** Size in bytes of the largest object that is kept in memory, and that is read in one piece. */
export const SMALL_BYTES = 256 * 1024
/** Bytes of memory per process. */
const CAPACITY = 16 * 1024 * 1024

interface Held {
  readonly bytes: Buffer
  /** The copy on disk that the bytes came from; null if there is none. */
  readonly id: number | null
}

/** A read whose result may be kept in memory. */
export interface Reading extends Disposable {
  /** Keeps verified bytes in memory, unless the object was removed since the read began. `id` is the copy on disk, or
   *  null. */
  hold(bytes: Buffer, id: number | null): void
}

/** Small, verified objects in the memory of this process, evicted least recently used first. */
export class MemoryTier {
  readonly #held: LRUCache<ObjectKey, Held>
  readonly #readings = new Set<{ readonly key: ObjectKey; isRemoved: boolean }>()

  /** `ttl`: milliseconds an object is kept, for when no other process can report its removal; 0 means no limit. */
  constructor({ ttl }: { readonly ttl: number }) {
    this.#held = new LRUCache({ maxSize: CAPACITY, sizeCalculation: ({ bytes }) => bytes.length || 1, ttl })
  }

  get(key: ObjectKey): Held | null {
    return this.#held.get(key) ?? null
  }

  /** Call before the read starts; dispose of the result when the read has ended. */
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

  /** Removes an object. Reads of it that are under way are not kept either. */
  delete(key: ObjectKey): void {
    this.#held.delete(key)
    for (const reading of this.#readings) if (reading.key === key) reading.isRemoved = true
  }

  /** Removes everything, for when removals may have been missed. */
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
