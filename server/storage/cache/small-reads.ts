import { hashOfKey, type ObjectKey, type ObjectStore, type OpenObject } from '../object-store.ts'
import { joined, openBroken, openBytes, verifiedChunks } from './bytes-body.ts'
import { type MemoryTier, SMALL_BYTES } from './memory-tier.ts'

/** Reads of whole objects that no file takes: those of a small one are shared by all who want it meanwhile, and held in
 *  memory. */
export class SmallReads {
  readonly #inner: Pick<ObjectStore, 'open'>
  readonly #memory: MemoryTier
  /** Those that have just begun: null for one that is no small one. */
  readonly #reads = new Map<ObjectKey, Promise<Buffer | null>>()

  constructor(inner: Pick<ObjectStore, 'open'>, memory: MemoryTier) {
    this.#inner = inner
    this.#memory = memory
  }

  /** What a read that is under way brings; null when none is, or the object is not small. Rejects as the read does. */
  join(key: ObjectKey): Promise<Buffer | null> | null {
    return this.#reads.get(key) ?? null
  }

  async open(key: ObjectKey): Promise<OpenObject> {
    const read = Promise.withResolvers<Buffer | null>()
    read.promise.catch(() => undefined)
    this.#reads.set(key, read.promise)
    using reading = this.#memory.reading(key)
    try {
      const opened = await this.#inner.open(key)
      if (opened.size > SMALL_BYTES) {
        read.resolve(null)
        return opened
      }
      const bytes = await wholeOf(key, opened).catch((error: Error) => error)
      if (bytes instanceof Error) {
        read.reject(bytes)
        return openBroken(bytes, opened.size)
      }
      read.resolve(bytes)
      reading.hold(bytes, null)
      return openBytes(bytes, undefined)
    } catch (error) {
      read.reject(error)
      throw error
    } finally {
      if (this.#reads.get(key) === read.promise) this.#reads.delete(key)
    }
  }

  /** The object is removed: who reads it reads on, and nothing of it is held. */
  forget(key: ObjectKey): void {
    this.#reads.delete(key)
  }
}

async function wholeOf(key: ObjectKey, { body, size }: OpenObject): Promise<Buffer> {
  return joined(await Array.fromAsync(verifiedChunks(body, size, hashOfKey(key))), size)
}
