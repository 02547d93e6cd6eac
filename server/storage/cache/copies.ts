import { bytesIn, rangeWithin } from '../byte-range.ts'
import type { ByteRange, ObjectKey, OpenObject } from '../object-store.ts'
import { openBytes } from './bytes-body.ts'
import type { CacheFiles } from './cache-files.ts'
import type { CacheIndex } from './cache-index.ts'
import type { Entry } from './entry.ts'
import { FileBody, type Reopen } from './file-body.ts'
import { FollowedFiles } from './followed-file.ts'
import { type MemoryTier, SMALL_BYTES } from './memory-tier.ts'

import { readFully, type Source, WholeFile } from './source.ts'
import { VerifiedCopies } from './verified-copies.ts'

interface CopiesDependencies {
  readonly index: CacheIndex
  readonly files: CacheFiles
  readonly memory: MemoryTier
  readonly reopen: (key: ObjectKey, id: number) => Reopen
  /** Called when a copy is read. */
  readonly hit: (id: number) => void
  /** Called with the number of bytes served from the cache. */
  readonly served: (bytes: number) => void
}

/** Opens cached copies for readers: complete ones, which each process compares with their hash once before serving
 *  them, or ones that another process is still fetching. */
export class Copies {
  readonly #parts: CopiesDependencies
  readonly #verified = new VerifiedCopies()
  readonly #followed: FollowedFiles

  constructor(parts: CopiesDependencies) {
    this.#parts = parts
    this.#followed = new FollowedFiles(parts.index, parts.files)
  }

  /** Marks a copy as verified because this process fetched it and checked its hash then. */
  addVerified(id: number): void {
    this.#verified.add(id)
  }

  /** Opens a copy. Returns null if it is unusable; the caller must look in the index again. */
  async open(key: ObjectKey, entry: Entry, range: ByteRange | undefined): Promise<OpenObject | null> {
    if (entry.isWhole) return this.#openWhole(key, entry, range)
    const { index } = this.#parts
    // This process is not fetching it, so the claim is one that it failed to release.
    if (index.isClaimedHere(entry) || index.hasExpired(entry)) {
      index.remove(entry.id)
      return null
    }
    const source = await this.#followed.join(entry.id)
    return source && this.#openSource(key, entry.id, source, range)
  }

  async #openWhole(key: ObjectKey, { id, size }: Entry, range: ByteRange | undefined): Promise<OpenObject | null> {
    rangeWithin(range, size)
    const { index, files, memory, hit, served } = this.#parts
    using reading = memory.reading(key)
    const handle = await files.open(id)
    if (handle && (await this.#verified.isVerified(id, key, size, handle).catch(() => false))) {
      if (size > SMALL_BYTES) return this.#openSource(key, id, new WholeFile(handle, size), range)
      const bytes = Buffer.allocUnsafeSlow(size)
      const filled = await readFully(handle, bytes, 0).finally(() => handle.close())
      if (filled === size) {
        reading.hold(bytes, id)
        hit(id)
        served(bytesIn(range, size))
        return openBytes(bytes, range)
      }
    } else {
      await handle?.close()
    }
    index.remove(id)
    return null
  }

  #openSource(key: ObjectKey, id: number, source: Source, range: ByteRange | undefined): OpenObject {
    try {
      const { reopen, hit, served } = this.#parts
      const within = rangeWithin(range, source.size)
      hit(id)
      return { body: new FileBody({ source, range: within, reopen: reopen(key, id), served }), size: source.size }
    } catch (error) {
      source.leave(0)
      throw error
    }
  }
}
