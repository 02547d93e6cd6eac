import { isObjectKey, type ObjectKey } from '../object-store.ts'
import { type CacheIndex, REMOVAL_MS } from './cache-index.ts'
import type { MemoryTier } from './memory-tier.ts'

/** Removed objects in both directions: those removed here until the index has dropped them, and those removed by other
 *  processes until memory has. */
export class RemovedKeys {
  readonly #index: CacheIndex
  readonly #memory: MemoryTier
  /** Removed here, but possibly still in the index. */
  readonly #unpublished = new Set<ObjectKey>()
  #lastReceived: number
  #receivedAt = performance.now()

  constructor(index: CacheIndex, memory: MemoryTier) {
    this.#index = index
    this.#memory = memory
    this.#lastReceived = index.removalsAfter(0).last
  }

  add(key: ObjectKey): void {
    this.#memory.delete(key)
    this.#unpublished.add(key)
  }

  /** Whether an object that was removed here may still be in the index. */
  isUnpublished(key: ObjectKey): boolean {
    return this.#unpublished.has(key)
  }

  /** Removes from the index what was removed here. Throws CacheFailure; the rest is retried on the next call. */
  publish(): void {
    for (const key of this.#unpublished) {
      this.#index.removeKey(key)
      this.#unpublished.delete(key)
    }
  }

  /** Removes from memory what other processes have removed. Throws CacheFailure. */
  receive(): void {
    const { keys, last } = this.#index.removalsAfter(this.#lastReceived)
    for (const key of keys) if (isObjectKey(key)) this.#memory.delete(key)
    this.#lastReceived = last
    // Old removals are no longer listed, so a process that was suspended for that long must assume any of them.
    if (performance.now() - this.#receivedAt > REMOVAL_MS / 2) this.#memory.clear()
    this.#receivedAt = performance.now()
  }
}
