import { LRUCache } from 'lru-cache'
import { type ByteRange, type ObjectKey, type ObjectStore, WHOLE_BYTES } from '../object-store.ts'
import type { CacheFiles } from './cache-files.ts'
import { type CacheIndex, IndexPaused } from './cache-index.ts'
import { Flight } from './flight.ts'
import type { MemoryTier } from './memory-tier.ts'

/** Milliseconds without new files after one could not be written, so that a full disk is not retried for every
 *  object. */
const PAUSE_MS = 10_000
/** Keys remembered as too large to cache. */
const REMEMBERED = 10_000

interface FetchesDependencies {
  readonly inner: Pick<ObjectStore, 'open'>
  readonly index: CacheIndex
  readonly files: CacheFiles
  readonly memory: MemoryTier
  /** Size in bytes of the largest object that is cached. */
  readonly largest: number
  readonly trouble: (error: unknown) => void
}

/** The fetches of this process from the inner store, at most one per object. Also decides which reads bypass the cache:
 *  the bucket must never send more than is paid for. So a range of an uncached object of more than WHOLE_BYTES is
 *  requested as it is, and such objects are cached only when they are read whole. */
export class Fetches {
  readonly #parts: FetchesDependencies
  readonly #flights = new Map<ObjectKey, Flight>()
  readonly #tooLarge = new LRUCache<ObjectKey, true>({ max: REMEMBERED })
  #pausedUntil = 0

  constructor(parts: FetchesDependencies) {
    this.#parts = parts
  }

  /** Returns the running fetch of an object. */
  get(key: ObjectKey): Flight | undefined {
    return this.#flights.get(key)
  }

  /** The numbers of the copies that are being fetched. */
  get ids(): readonly number[] {
    return [...this.#flights.values()].map(({ id }) => id)
  }

  /** Whether a read of an uncached object bypasses the cache although the index can be written. `size` is the object's,
   *  if known. */
  isBypassed(key: ObjectKey, range: ByteRange | undefined, size: number | undefined): boolean {
    // The reader is charged for the range only.
    if (range && (size === undefined || size > WHOLE_BYTES)) return true
    if (size !== undefined && size > this.#parts.largest) return true
    // Nothing can be cached at the moment, so fetching the whole object would serve nobody.
    if (range && this.#isPaused()) return true
    return this.#tooLarge.has(key)
  }

  /** Starts a fetch of an object, of `size` bytes if known. Returns null when it is cached or another process is fetching
   *  it. */
  begin(key: ObjectKey, size: number | undefined): Flight | null {
    const { index, trouble, ...parts } = this.#parts
    const id = index.claim(key)
    if (id === null) return null
    const flight = new Flight(
      {
        ...parts,
        expected: size,
        index,
        isPaused: () => this.#isPaused(),
        trouble: (error) => {
          if (!(error instanceof IndexPaused)) this.#pausedUntil = performance.now() + PAUSE_MS
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

  /** Cancels all fetches; their readers continue from the inner store. */
  cancelAll(): void {
    for (const flight of this.#flights.values()) flight.cancel()
  }

  #isPaused(): boolean {
    return performance.now() < this.#pausedUntil
  }
}
