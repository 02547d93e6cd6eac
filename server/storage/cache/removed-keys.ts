import { isObjectKey, type ObjectKey } from '../object-store.ts'
import { type CacheIndex, REMOVAL_MS } from './cache-index.ts'
import type { MemoryTier } from './memory-tier.ts'

/** Objects that are removed: here, until the index has forgotten them too, and by other processes, until memory has. */
export class RemovedKeys {
  readonly #index: CacheIndex
  readonly #memory: MemoryTier
  /** Removed here; the index may have them yet. */
  readonly #untold = new Set<ObjectKey>()
  #lastHeard: number
  #heardAt = performance.now()

  constructor(index: CacheIndex, memory: MemoryTier) {
    this.#index = index
    this.#memory = memory
    this.#lastHeard = index.removalsAfter(0).last
  }

  add(key: ObjectKey): void {
    this.#memory.delete(key)
    this.#untold.add(key)
  }

  /** Whether the index may have the object yet, though it is removed. */
  isUntold(key: ObjectKey): boolean {
    return this.#untold.has(key)
  }

  /** Has the index forget what was removed here. Throws CacheFailure: what it has not forgotten then is told the next time. */
  tell(): void {
    for (const key of this.#untold) {
      this.#index.removeKey(key)
      this.#untold.delete(key)
    }
  }

  /** Has memory forget what others have removed. Throws CacheFailure. */
  hear(): void {
    const { keys, last } = this.#index.removalsAfter(this.#lastHeard)
    for (const key of keys) if (isObjectKey(key)) this.#memory.delete(key)
    this.#lastHeard = last
    // What was removed long ago is told no more: a process that slept cannot know.
    if (performance.now() - this.#heardAt > REMOVAL_MS / 2) this.#memory.clear()
    this.#heardAt = performance.now()
  }
}
