import type { MemoryEntry } from './memory-entry.ts'

/** Entries by the instant at which they were last touched. Every step is a few pointers, however many there are. */
export class RecencyList {
  #oldest: MemoryEntry | null = null
  #newest: MemoryEntry | null = null
  #size = 0

  get size(): number {
    return this.#size
  }

  get oldest(): MemoryEntry | null {
    return this.#oldest
  }

  /** Makes it the newest. */
  touch(entry: MemoryEntry): void {
    if (entry === this.#newest) return
    this.remove(entry)
    entry.isListed = true
    this.#size += 1
    entry.older = this.#newest
    if (this.#newest) this.#newest.newer = entry
    else this.#oldest = entry
    this.#newest = entry
  }

  remove(entry: MemoryEntry): void {
    if (!entry.isListed) return
    if (entry.older) entry.older.newer = entry.newer
    else this.#oldest = entry.newer
    if (entry.newer) entry.newer.older = entry.older
    else this.#newest = entry.older
    entry.older = null
    entry.newer = null
    entry.isListed = false
    this.#size -= 1
  }
}
