import { bytesIn } from '../byte-range.ts'
import type { ByteRange, ObjectKey, ObjectStore, OpenObject } from '../object-store.ts'
import { openBytes } from './bytes-body.ts'
import { MemoryTier } from './memory-tier.ts'
import { SmallReads } from './small-reads.ts'

/** Milliseconds a small object stays in memory: no other process reports that it deleted one. */
const TTL_MS = 300_000

/** A cache of small objects in this process's memory, for when there is no disk cache. */
export class MemoryOnly {
  readonly #memory = new MemoryTier({ ttl: TTL_MS })
  readonly #reads: SmallReads
  #counts = { hits: 0, misses: 0, bytesServed: 0 }

  constructor(inner: Pick<ObjectStore, 'open'>) {
    this.#reads = new SmallReads(inner, this.#memory)
  }

  held(key: ObjectKey): Buffer | null {
    const held = this.#memory.get(key)
    if (!held) return null
    this.#countHit(held.bytes.length)
    return held.bytes
  }

  async open(key: ObjectKey, range?: ByteRange, size?: number): Promise<OpenObject> {
    const read = this.#reads.join(key)
    const held = this.#memory.get(key)?.bytes ?? (read && (await read))
    if (held) {
      const opened = openBytes(held, range)
      this.#countHit(bytesIn(range, held.length))
      return opened
    }
    this.#counts.misses += 1
    return this.#reads.open(key, range, size)
  }

  forget(key: ObjectKey): void {
    this.#memory.delete(key)
    this.#reads.forget(key)
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

  #countHit(bytes: number): void {
    this.#counts.hits += 1
    this.#counts.bytesServed += bytes
  }
}
