import { type ByteRange, hashOfKey, type ObjectKey, type ObjectStore, type OpenObject } from '../object-store.ts'
import { concatenate, openBytes, openFailing, verifiedChunks } from './bytes-body.ts'
import { type MemoryTier, SMALL_BYTES } from './memory-tier.ts'

/** Reads of objects that are not written to disk. Concurrent readers of a small object share one read of the whole, which
 *  is kept in memory. */
export class SmallReads {
  readonly #inner: Pick<ObjectStore, 'open'>
  readonly #memory: MemoryTier
  /** Reads that are under way; they resolve to null when the object is not small. */
  readonly #reads = new Map<ObjectKey, Promise<Buffer | null>>()

  constructor(inner: Pick<ObjectStore, 'open'>, memory: MemoryTier) {
    this.#inner = inner
    this.#memory = memory
  }

  /** Joins a running read; null when there is none. It resolves to null when the object is not small, and rejects as
   *  the read does. */
  join(key: ObjectKey): Promise<Buffer | null> | null {
    return this.#reads.get(key) ?? null
  }

  /** `size`: the object's, if known; without it a range is read as it is. */
  async open(key: ObjectKey, range: ByteRange | undefined, size: number | undefined): Promise<OpenObject> {
    if (range && (size === undefined || size > SMALL_BYTES)) return this.#inner.open(key, range)
    const read = Promise.withResolvers<Buffer | null>()
    read.promise.catch(() => undefined)
    this.#reads.set(key, read.promise)
    using reading = this.#memory.reading(key)
    try {
      const opened = await this.#inner.open(key)
      if (opened.size > SMALL_BYTES) {
        read.resolve(null)
        if (!range) return opened
        // The caller was wrong about the size.
        opened.body.on('error', () => undefined).destroy()
        return await this.#inner.open(key, range)
      }
      const bytes = await readWhole(key, opened).catch((error: Error) => error)
      if (bytes instanceof Error) {
        read.reject(bytes)
        return openFailing(bytes, opened.size)
      }
      read.resolve(bytes)
      reading.hold(bytes, null)
      return openBytes(bytes, range)
    } catch (error) {
      read.reject(error)
      throw error
    } finally {
      if (this.#reads.get(key) === read.promise) this.#reads.delete(key)
    }
  }

  /** Called when the object is removed: current readers continue, and nothing is kept. */
  forget(key: ObjectKey): void {
    this.#reads.delete(key)
  }
}

async function readWhole(key: ObjectKey, { body, size }: OpenObject): Promise<Buffer> {
  return concatenate(await Array.fromAsync(verifiedChunks(body, size, hashOfKey(key))), size)
}
