import type { FileHandle } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { CacheFiles } from './cache-files.ts'
import type { CacheIndex } from './cache-index.ts'
import { SMALL_BYTES } from './memory-tier.ts'
import { Abandoned, readFully, type Source } from './source.ts'

/** Milliseconds between two looks at what another process fetches. */
const LOOK_MS = 20
/** Milliseconds between two signs that somebody here waits for it. */
const WANT_MS = 500

/** A file that another process fetches: that it grows is all that is heard of it. */
export class FollowedFile implements Source {
  readonly size: number
  readonly #id: number
  readonly #handle: FileHandle
  readonly #index: CacheIndex
  #wantedAt = Number.NEGATIVE_INFINITY

  constructor(id: number, size: number, handle: FileHandle, index: CacheIndex) {
    this.#id = id
    this.size = size
    this.#handle = handle
    this.#index = index
  }

  async beyond(at: number, signal: AbortSignal): Promise<number> {
    for (;;) {
      const isOver = this.#isOver()
      const { size } = await this.#handle.stat()
      if (size > at) return Math.min(size, this.size)
      if (isOver) throw new Abandoned('The fetch of another process has ended')
      await setTimeout(LOOK_MS, undefined, { signal })
    }
  }

  read(buffer: Buffer, at: number): Promise<number> {
    return readFully(this.#handle, buffer, at)
  }

  leave(): void {
    this.#handle.close().catch(() => undefined)
  }

  #isOver(): boolean {
    try {
      const entry = this.#index.byId(this.#id)
      if (!entry || entry.isWhole || this.#index.hasLapsed(entry)) return true
      if (performance.now() - this.#wantedAt > WANT_MS) {
        this.#wantedAt = performance.now()
        this.#index.want(this.#id)
      }
      return false
    } catch (cause) {
      throw new Abandoned('The index of the cache fails', { cause })
    }
  }
}

/** Waits until a file can be followed; null when the fetch has ended before, well or not, or the object is a small one that is whole. */
export async function follow(id: number, index: CacheIndex, files: CacheFiles): Promise<FollowedFile | null> {
  for (let wantedAt = Number.NEGATIVE_INFINITY; ; await setTimeout(LOOK_MS)) {
    const entry = index.byId(id)
    if (!entry || entry.isWhole || index.hasLapsed(entry)) return null
    const handle = entry.size > SMALL_BYTES ? await files.open(id) : null
    if (handle) return new FollowedFile(id, entry.size, handle, index)
    if (performance.now() - wantedAt < WANT_MS) continue
    wantedAt = performance.now()
    index.want(id)
  }
}
