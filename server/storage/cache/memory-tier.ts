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

/** Small objects in the memory of this process, verified, those that were used last. */
export class MemoryTier {
  readonly #held: LRUCache<ObjectKey, Held>

  /** `ttl`: milliseconds after which an object is forgotten, where no other process can say that it was removed; 0 for never. */
  constructor({ ttl, capacity = CAPACITY }: { readonly ttl: number; readonly capacity?: number }) {
    this.#held = new LRUCache({ maxSize: capacity, sizeCalculation: ({ bytes }) => bytes.length || 1, ttl })
  }

  get(key: ObjectKey): Held | null {
    return this.#held.get(key) ?? null
  }

  set(key: ObjectKey, bytes: Buffer, id: number | null): void {
    if (bytes.length <= SMALL_BYTES) this.#held.set(key, { bytes, id })
  }

  delete(key: ObjectKey): void {
    this.#held.delete(key)
  }

  clear(): void {
    this.#held.clear()
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
