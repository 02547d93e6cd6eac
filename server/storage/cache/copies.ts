import type { Readable } from 'node:stream'
import { bytesIn, rangeWithin } from '../byte-range.ts'
import type { ByteRange, ObjectKey, OpenObject } from '../object-store.ts'
import { openBytes } from './bytes-body.ts'
import type { CacheFiles } from './cache-files.ts'
import type { CacheIndex } from './cache-index.ts'
import type { Entry } from './entry.ts'
import { FileBody } from './file-body.ts'
import { FollowedFiles } from './followed-file.ts'
import { type MemoryTier, SMALL_BYTES } from './memory-tier.ts'

import { readFully, type Source, WholeFile } from './source.ts'
import { VerifiedCopies } from './verified-copies.ts'

interface Parts {
  readonly index: CacheIndex
  readonly files: CacheFiles
  readonly memory: MemoryTier
  /** The whole object once more, for a reader whose copy gives no more of it. */
  readonly again: (key: ObjectKey, id: number) => Promise<Readable>
  /** A copy is read. */
  readonly hit: (id: number) => void
  /** So many bytes have come out of the cache. */
  readonly served: (bytes: number) => void
}

/** The files of copies as readers find them: whole and compared with their keys once, or growing while another process
 *  fetches. */
export class Copies {
  readonly #parts: Parts
  readonly #verified = new VerifiedCopies()
  readonly #followed: FollowedFiles

  constructor(parts: Parts) {
    this.#parts = parts
    this.#followed = new FollowedFiles(parts.index, parts.files)
  }

  /** This process has fetched the copy, and compared it then. */
  addVerified(id: number): void {
    this.#verified.add(id)
  }

  /** Null when there was nothing to be had of it: then the index has another one, or none. */
  async open(key: ObjectKey, entry: Entry, range: ByteRange | undefined): Promise<OpenObject | null> {
    if (entry.isWhole) return this.#openWhole(key, entry, range)
    const { index } = this.#parts
    // Nobody here fetches it: a claim of this process could not be given back.
    if (index.isClaimedHere(entry) || index.hasLapsed(entry)) {
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
      const { again, hit, served } = this.#parts
      const within = rangeWithin(range, source.size)
      hit(id)
      return { body: new FileBody({ source, range: within, again: () => again(key, id), served }), size: source.size }
    } catch (error) {
      source.leave(0)
      throw error
    }
  }
}
