import { LRUCache } from 'lru-cache'
import { bytesIn } from '../byte-range.ts'
import type { ByteRange, ObjectKey, ObjectStore } from '../object-store.ts'
import type { CacheFiles } from './cache-files.ts'
import { type CacheIndex, IndexRests } from './cache-index.ts'
import { Flight, isWorthAll } from './flight.ts'
import type { MemoryTier } from './memory-tier.ts'

/** Milliseconds for which nothing more is kept when something could not be: a full disk is not tried again for each
 *  object. */
const REST_MS = 10_000
/** Keys that are remembered because the cache does not take them. */
const REMEMBERED = 10_000

interface Parts {
  readonly inner: Pick<ObjectStore, 'open'>
  readonly index: CacheIndex
  readonly files: CacheFiles
  readonly memory: MemoryTier
  /** Bytes of the largest object that is kept. */
  readonly largest: number
  readonly trouble: (error: unknown) => void
}

/** What this process fetches from the store below, each object once at a time, and what it had better not fetch. */
export class Fetches {
  readonly #parts: Parts
  readonly #flights = new Map<ObjectKey, Flight>()
  readonly #tooLarge = new LRUCache<ObjectKey, true>({ max: REMEMBERED })
  #restsUntil = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The fetch of an object that is under way. */
  get(key: ObjectKey): Flight | undefined {
    return this.#flights.get(key)
  }

  /** The copies that are being fetched. */
  get ids(): readonly number[] {
    return [...this.#flights.values()].map(({ id }) => id)
  }

  /** Whether a read of an object that is not in the cache bypasses it, though its index can be written to. `size` is the
   *  object's, where it is known. */
  isBypassed(key: ObjectKey, range: ByteRange | undefined, size: number | undefined): boolean {
    // Its reader is charged for the range: a fetch of the whole object would cost much more than that.
    if (range && !(size && isWorthAll(bytesIn(range, size), size))) return true
    // What cannot be kept is nobody's but the reader's: a whole object would be opened for nothing.
    if (range && this.#isResting()) return true
    return this.#tooLarge.has(key)
  }

  /** Begins to fetch an object; null where another process has done so, or is at it. */
  begin(key: ObjectKey): Flight | null {
    const { index, trouble, ...parts } = this.#parts
    const id = index.claim(key)
    if (id === null) return null
    const flight = new Flight(
      {
        ...parts,
        index,
        isResting: () => this.#isResting(),
        trouble: (error) => {
          if (!(error instanceof IndexRests)) this.#restsUntil = performance.now() + REST_MS
          trouble(error)
        },
        onOver: (over) => {
          if (this.#flights.get(key) === over) this.#flights.delete(key)
        },
        onTooLarge: () => this.#tooLarge.set(key, true),
      },
      key,
      id,
    )
    this.#flights.set(key, flight)
    return flight
  }

  /** Ends all: their readers go on from the store below. */
  giveUp(): void {
    for (const flight of this.#flights.values()) flight.giveUp()
  }

  #isResting(): boolean {
    return performance.now() < this.#restsUntil
  }
}
