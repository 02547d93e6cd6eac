import type { MemoryEntry } from './memory-entry.ts'

/** Entries that one asks for are looked at at most for it: more would hold its call up. */
const LOOKS = 16

/** Entries in a line, of which the first makes room, unless it was used since it took its place there: then it goes to the
 *  end, once. The second chance (CLOCK) algorithm of Corbató, A paging experiment with the Multics system, 1968: to use an
 *  entry touches no other, as moving it in a list by recency would. */
export class SecondChance {
  #first: MemoryEntry | null = null
  #last: MemoryEntry | null = null
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Notes that the entry is used; one that is not in the line takes its last place. */
  use(entry: MemoryEntry): void {
    if (entry.isListed) entry.isUsed = true
    else this.#add(entry)
  }

  /** Which makes room: the first that was not used since, or of so many that were the last looked at. */
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
