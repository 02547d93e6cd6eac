import type { FileHandle } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { CacheFiles } from './cache-files.ts'
import type { CacheIndex } from './cache-index.ts'
import type { Entry } from './entry.ts'
import { SMALL_BYTES } from './memory-tier.ts'
import { Abandoned, readFully, type Source } from './source.ts'

/** Milliseconds between two looks at what another process fetches. */
const LOOK_MS = 20
/** Milliseconds between two signs that somebody here waits for it. */
const WANT_MS = 500

/** A file that another process fetches: that it grows is all that is heard of it. All who read it here look at it together,
 *  and it is closed once nobody does. */
export class FollowedFile implements Source {
  readonly size: number
  readonly #id: number
  readonly #handle: FileHandle
  readonly #index: CacheIndex
  readonly #left: () => void
  #available = 0
  #isOver = false
  #readers = 0
  #isClosed = false
  #looking: Promise<void> | null = null
  #lookedAt = Number.NEGATIVE_INFINITY
  #wantedAt = Number.NEGATIVE_INFINITY

  /** `left` is called when it is closed. */
  constructor({ id, size }: Entry, handle: FileHandle, index: CacheIndex, left: () => void) {
    this.#id = id
    this.size = size
    this.#handle = handle
    this.#index = index
    this.#left = left
  }

  /** False when it is closed: nobody was there any more. */
  join(): boolean {
    if (this.#isClosed) return false
    this.#readers += 1
    return true
  }

  leave(): void {
    this.#readers -= 1
    if (this.#readers > 0) return
    this.#isClosed = true
    this.#left()
    this.#handle.close().catch(() => undefined)
  }

  async beyond(at: number, signal: AbortSignal): Promise<number> {
    while (this.#available <= at) {
      signal.throwIfAborted()
      if (this.#isOver) throw new Abandoned('The fetch of another process has ended')
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null
      })
      await this.#looking
    }
    return this.#available
  }

  read(buffer: Buffer, at: number): Promise<number> {
    return readFully(this.#handle, buffer, at)
  }

  async #look(): Promise<void> {
    const left = this.#lookedAt + LOOK_MS - performance.now()
    if (left > 0) await setTimeout(left)
    this.#lookedAt = performance.now()
    // Asked first: what has come by the end is all that comes.
    const isOver = this.#hasEnded()
    const { size } = await this.#handle.stat()
    this.#available = Math.min(size, this.size)
    this.#isOver = isOver
  }

  #hasEnded(): boolean {
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

/** What other processes fetch and this one reads, each file once. */
export class FollowedFiles {
  readonly #index: CacheIndex
  readonly #files: CacheFiles
  readonly #followed = new Map<number, Promise<FollowedFile | null>>()

  constructor(index: CacheIndex, files: CacheFiles) {
    this.#index = index
    this.#files = files
  }

  /** For one more reader, who must leave it; null where there is nothing to follow any more. */
  async join(id: number): Promise<FollowedFile | null> {
    const file = await (this.#followed.get(id) ?? this.#begin(id))
    return file?.join() ? file : null
  }

  #begin(id: number): Promise<FollowedFile | null> {
    const left = () => void this.#followed.delete(id)
    const following = follow(id, this.#index, this.#files, left)
    this.#followed.set(id, following)
    following.then((file) => file ?? left(), left)
    return following
  }
}

/** Waits until a file can be followed; null when the fetch has ended before, well or not. A small one is waited for until it
 *  is whole: it comes in one piece. */
async function follow(
  id: number,
  index: CacheIndex,
  files: CacheFiles,
  left: () => void,
): Promise<FollowedFile | null> {
  for (let wantedAt = Number.NEGATIVE_INFINITY; ; await setTimeout(LOOK_MS)) {
    const entry = index.byId(id)
    if (!entry || entry.isWhole || index.hasLapsed(entry)) return null
    const handle = entry.size > SMALL_BYTES ? await files.open(id) : null
    if (handle) return new FollowedFile(entry, handle, index, left)
    if (performance.now() - wantedAt < WANT_MS) continue
    wantedAt = performance.now()
    index.want(id)
  }
}
