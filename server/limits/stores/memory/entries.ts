import type { Charge } from '../../store.ts'
import { MemoryEntry } from './memory-entry.ts'
import { SecondChance } from './second-chance.ts'

/** New keys evict cold ones only while more than one key in TURNOVER is cold. With fewer, new keys would evict one
 *  another between two of their calls, and none would ever reach its limit. */
const TURNOVER = 10

/** The entries of all keys, bounded in number in such a way that a flood of new keys never frees one that is near its
 *  limit. Hot keys are never evicted: those that are blocked, and those that had used half of a limit, or had a call
 *  under way, when they were last charged. Among cold keys, one that was not charged lately is evicted
 *  (second-chance.ts). Where hardly any cold keys are left, new keys share one overflow entry for each set and shape:
 *  they are limited more strictly, and no count is lost. The overflow refunds leases only, because they have names; it
 *  cannot tell its other permits apart. */
export class MemoryEntries {
  readonly #maxKeys: number
  readonly #byKey = new Map<string, MemoryEntry>()
  readonly #overflow = new Map<string, MemoryEntry>()
  readonly #cold = new SecondChance()
  /** All of `#byKey`. The sweep for expired ones walks it from end to beginning, over and over. */
  readonly #walk: MemoryEntry[] = []
  /** For each of `#walk` an instant before which it does not expire, so that the sweep rarely touches an entry. */
  readonly #untils: number[] = []
  #next = 0

  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys
  }

  get size(): number {
    return this.#byKey.size + this.#overflow.size
  }

  /** The entry of the charge's key, or a new one, which is kept only by `keep`. */
  open(charge: Charge): MemoryEntry {
    const found = this.find(charge)
    if (found) return found
    if (this.#byKey.size < this.#maxKeys || this.#cold.size > this.#maxKeys / TURNOVER)
      return new MemoryEntry(charge.key, charge.algorithm)
    const key = overflowKeyOf(charge)
    const overflow = this.#overflow.get(key) ?? new MemoryEntry(key, charge.algorithm)
    overflow.isOverflow = true
    this.#overflow.set(key, overflow)
    return overflow
  }

  /** The entry of the charge's key; the last one found is cached in `known`. */
  find({ key, known }: Charge): MemoryEntry | undefined {
    const last = known?.counted
    if (last instanceof MemoryEntry && last.holder === this) return last
    const entry = this.#byKey.get(key)
    if (known && entry) known.counted = entry
    return entry
  }

  /** The entry that knows the charge's lease, or its permits. */
  findCounted(charge: Charge): MemoryEntry | undefined {
    const shared = charge.algorithm === 'concurrency' ? this.#overflow.get(overflowKeyOf(charge)) : undefined
    return this.find(charge) ?? shared
  }

  keep(entry: MemoryEntry, isHot: boolean): void {
    if (entry.isOverflow) return
    if (entry.place < 0) {
      const cold = this.#byKey.size >= this.#maxKeys ? this.#cold.next() : null
      if (cold) this.forget(cold)
      entry.holder = this
      entry.place = this.#walk.push(entry) - 1
      this.#untils[entry.place] = entry.until
      this.#byKey.set(entry.key, entry)
    }
    if (isHot) this.#cold.remove(entry)
    else this.#cold.use(entry)
  }

  /** To be called when the entry may expire earlier than before. */
  shorten(entry: MemoryEntry): void {
    if (entry.place >= 0) this.#untils[entry.place] = entry.until
  }

  forget(entry: MemoryEntry): void {
    this.#cold.remove(entry)
    this.#byKey.delete(entry.key)
    // The last entry moves to its place. The sweep, which walks downwards, has already passed the last one in this
    // round.
    const last = this.#walk.pop()
    const until = this.#untils.pop() ?? 0
    if (last && last !== entry) {
      this.#walk[entry.place] = last
      this.#untils[entry.place] = until
      last.place = entry.place
    }
    entry.holder = null
    entry.place = -1
  }

  forgetAll(): void {
    for (const entry of this.#byKey.values()) this.forget(entry)
    this.#overflow.clear()
  }

  /** All entries, but those that count for several keys. */
  all(): Iterable<MemoryEntry> {
    return this.#byKey.values()
  }

  /** Forgets those of the next `count` entries that have expired. */
  sweep(now: number, count: number): void {
    for (let seen = 0; seen < count; seen += 1) {
      if (this.#next === 0) this.#next = this.#walk.length
      else this.#next -= 1
      if ((this.#untils[this.#next] ?? Number.POSITIVE_INFINITY) <= now)
        this.#forgetIfStale(now, this.#walk[this.#next])
    }
  }

  #forgetIfStale(now: number, entry: MemoryEntry | undefined): void {
    if (!entry) return
    if (entry.until <= now) this.forget(entry)
    else this.#untils[entry.place] = entry.until
  }
}

/** One overflow key for each set and shape (the last part of a key), so their number is bounded by the declared
 *  sets. */
function overflowKeyOf({ key, algorithm, facts }: Charge): string {
  const beforeShape = key.lastIndexOf(':')
  return `overflow:${algorithm}:${facts.name}:${beforeShape < 0 ? '' : key.slice(beforeShape + 1)}`
}
