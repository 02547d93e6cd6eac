import type { FileHandle } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { CacheFiles } from './cache-files.ts'
import type { CacheIndex } from './cache-index.ts'
import type { Entry } from './entry.ts'
import { SMALL_BYTES } from './memory-tier.ts'
import { Abandoned, readFully, type Source } from './source.ts'

/** Milliseconds between checks of a file that another process is fetching. */
const POLL_MS = 20
/** Milliseconds between signs to that process that someone here is waiting. */
const WANT_MS = 500

/** A file that another process is fetching. The only signal is its growth, so all readers in this process share one
 *  poll of it. It is closed when the last reader leaves. */
export class FollowedFile implements Source {
  readonly size: number
  readonly #id: number
  readonly #handle: FileHandle
  readonly #index: CacheIndex
  readonly #onClosed: () => void
  #available = 0
  #isOver = false
  #readers = 0
  #isClosed = false
  #polling: Promise<void> | null = null
  #polledAt = Number.NEGATIVE_INFINITY
  #wantedAt = Number.NEGATIVE_INFINITY

  /** `onClosed` is called when the file is closed. */
  constructor({ id, size }: Entry, handle: FileHandle, index: CacheIndex, onClosed: () => void) {
    this.#id = id
    this.size = size
    this.#handle = handle
    this.#index = index
    this.#onClosed = onClosed
  }

  /** Returns false when the file is closed because the last reader has left. */
  join(): boolean {
    if (this.#isClosed) return false
    this.#readers += 1
    return true
  }

  leave(): void {
    this.#readers -= 1
    if (this.#readers > 0) return
    this.#isClosed = true
    this.#onClosed()
    this.#handle.close().catch(() => undefined)
  }

  async beyond(at: number, signal: AbortSignal): Promise<number> {
    while (this.#available <= at) {
      signal.throwIfAborted()
      if (this.#isOver) throw new Abandoned('fetch by another process ended')
      this.#polling ??= this.#poll().finally(() => {
        this.#polling = null
      })
      await this.#polling
    }
    return this.#available
  }

  read(buffer: Buffer, at: number): Promise<number> {
    return readFully(this.#handle, buffer, at)
  }

  async #poll(): Promise<void> {
    const wait = this.#polledAt + POLL_MS - performance.now()
    if (wait > 0) await setTimeout(wait)
    this.#polledAt = performance.now()
    // Checked before the size: whatever has been written once the fetch has ended is all there will be.
    const isOver = this.#hasEnded()
    const { size } = await this.#handle.stat()
    this.#available = Math.min(size, this.size)
    this.#isOver = isOver
  }

  #hasEnded(): boolean {
    try {
      const entry = this.#index.byId(this.#id)
      if (!entry || entry.isWhole || this.#index.hasExpired(entry)) return true
      if (performance.now() - this.#wantedAt > WANT_MS) {
        this.#wantedAt = performance.now()
        this.#index.want(this.#id)
      }
      return false
    } catch (cause) {
      throw new Abandoned('cache index failed', { cause })
    }
  }
}

/** The files that other processes fetch and readers here follow, one FollowedFile each. */
export class FollowedFiles {
  readonly #index: CacheIndex
  readonly #files: CacheFiles
  readonly #followed = new Map<number, Promise<FollowedFile | null>>()

  constructor(index: CacheIndex, files: CacheFiles) {
    this.#index = index
    this.#files = files
  }

  /** Joins one more reader, who must call `leave`. Returns null when there is nothing left to follow. */
  async join(id: number): Promise<FollowedFile | null> {
    const file = await (this.#followed.get(id) ?? this.#begin(id))
    return file?.join() ? file : null
  }

  #begin(id: number): Promise<FollowedFile | null> {
    const onClosed = () => void this.#followed.delete(id)
    const following = follow(id, this.#index, this.#files, onClosed)
    this.#followed.set(id, following)
    following.then((file) => file ?? onClosed(), onClosed)
    return following
  }
}

/** Waits until a file can be followed. Returns null when the fetch has ended, successfully or not. A small object is
 *  awaited until it is complete, because it is written at once. */
async function follow(
  id: number,
  index: CacheIndex,
  files: CacheFiles,
  onClosed: () => void,
): Promise<FollowedFile | null> {
  for (let wantedAt = Number.NEGATIVE_INFINITY; ; await setTimeout(POLL_MS)) {
    const entry = index.byId(id)
    if (!entry || entry.isWhole || index.hasExpired(entry)) return null
    const handle = entry.size > SMALL_BYTES ? await files.open(id) : null
    if (handle) return new FollowedFile(entry, handle, index, onClosed)
    if (performance.now() - wantedAt < WANT_MS) continue
    wantedAt = performance.now()
    index.want(id)
  }
}
