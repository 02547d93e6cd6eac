import type { MemoryEntry } from './memory-entry.ts'

/** How many entries one eviction looks at, at most: more would delay the call. */
const LOOKS = 16

/** The eviction list: a queue whose first entry is evicted, unless it was used since it was queued; then it goes to the
 *  end once. The second chance (CLOCK) algorithm of Corbató, A paging experiment with the Multics system, 1968. Unlike
 *  in an LRU list, using an entry touches no other. */
export class SecondChance {
  #first: MemoryEntry | null = null
  #last: MemoryEntry | null = null
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Marks the entry as used, or appends it when it is not in the list. */
  use(entry: MemoryEntry): void {
    if (entry.isListed) entry.isUsed = true
    else this.#add(entry)
  }

  /** The entry to evict: the first that was not used, or after LOOKS used ones the next in line. Null when the list is
   *  empty. */
  next(): MemoryEntry | null {
    for (let looks = 1; looks < LOOKS && this.#first?.isUsed; looks += 1) {
      const entry = this.#first
      this.remove(entry)
      this.#add(entry)
    }
    return this.#first
  }

  remove(entry: MemoryEntry): void {
    if (!entry.isListed) return
    if (entry.before) entry.before.behind = entry.behind
    else this.#first = entry.behind
    if (entry.behind) entry.behind.before = entry.before
    else this.#last = entry.before
    entry.before = null
    entry.behind = null
    entry.isListed = false
    this.#size -= 1
  }

  #add(entry: MemoryEntry): void {
    entry.isListed = true
    entry.isUsed = false
    entry.before = this.#last
    if (this.#last) this.#last.behind = entry
    else this.#first = entry
    this.#last = entry
    this.#size += 1
  }
}
