import { type ByteRange, hashOfKey, type ObjectKey, type ObjectStore, type OpenObject } from '../object-store.ts'
import { openBroken, openBytes, verifiedChunks } from './bytes-body.ts'
import { MemoryTier, SMALL_BYTES } from './memory-tier.ts'

/** Milliseconds after which a small object is read again: no other process says that it has removed it. */
const TTL_MS = 300_000

/** Small objects in the memory of this process, in front of a store that is near. */
export class MemoryOnly {
  readonly #inner: Pick<ObjectStore, 'open'>
  readonly #memory = new MemoryTier({ ttl: TTL_MS })
  /** Reads of whole objects that have just begun: null for one that is no small one. */
  readonly #reads = new Map<ObjectKey, Promise<Buffer | null>>()
  #counts = { hits: 0, misses: 0, bytesServed: 0 }

  constructor(inner: Pick<ObjectStore, 'open'>) {
    this.#inner = inner
  }

  held(key: ObjectKey): Buffer | null {
    const held = this.#memory.get(key)
    if (!held) return null
    this.#countHit(held.bytes.length)
    return held.bytes
  }

  async open(key: ObjectKey, range?: ByteRange): Promise<OpenObject> {
    const read = this.#reads.get(key)
    const held = this.#memory.get(key)?.bytes ?? (read && (await read))
    if (held) {
      const opened = openBytes(held, range)
      this.#countHit(range ? range.end - range.start + 1 : held.length)
      return opened
    }
    this.#counts.misses += 1
    return range ? this.#inner.open(key, range) : this.#openWhole(key)
  }

  forget(key: ObjectKey): void {
    this.#memory.delete(key)
    this.#reads.delete(key)
  }

  figures() {
    return {
      ...this.#counts,
      objects: this.#memory.objects,
      bytes: this.#memory.bytes,
      maxBytes: this.#memory.maxBytes,
    }
  }

  async close(): Promise<void> {
    this.#memory.clear()
  }

  async #openWhole(key: ObjectKey): Promise<OpenObject> {
    const read = Promise.withResolvers<Buffer | null>()
    read.promise.catch(() => undefined)
    this.#reads.set(key, read.promise)
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
      // Unless it was removed meanwhile.
      if (this.#reads.get(key) === read.promise) this.#memory.set(key, bytes, null)
      return openBytes(bytes, undefined)
    } catch (error) {
      read.reject(error)
      throw error
    } finally {
      if (this.#reads.get(key) === read.promise) this.#reads.delete(key)
    }
  }

  #countHit(bytes: number): void {
    this.#counts.hits += 1
    this.#counts.bytesServed += bytes
  }
}

async function wholeOf(key: ObjectKey, { body, size }: OpenObject): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(verifiedChunks(body, size, hashOfKey(key))), size)
}
