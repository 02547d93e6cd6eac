import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { bytesIn, checkRange } from '../byte-range.ts'
import type { ByteRange, ObjectKey, ObjectStore, OpenObject } from '../object-store.ts'
import { hasEnded, uniqueProcessName } from '../process-mark.ts'
import { isSystemError } from '../system-error.ts'
import { openBytes } from './bytes-body.ts'
import { CacheFiles } from './cache-files.ts'
import { CacheIndex, IndexPaused } from './cache-index.ts'
import { Copies } from './copies.ts'
import { Fetches } from './fetches.ts'
import type { Reopen } from './file-body.ts'
import type { Flight } from './flight.ts'
import { discardedIn, discardIndex, indexInode, isUnusable, openIndexFile } from './index-file.ts'
import { MemoryTier } from './memory-tier.ts'
import { MOST_READS, type ReadTotals } from './read-counts.ts'
import { RemovedKeys } from './removed-keys.ts'
import { SMALL_SHARE } from './s3-fifo.ts'
import { SmallReads } from './small-reads.ts'
import { Abandoned } from './source.ts'
import { CacheFailure } from './sql.ts'

/** Milliseconds between rounds. A round writes read counts, checks for removals by other processes and renews
 *  claims. */
const ROUND_MS = 1_000
/** Rounds without index writes after one has failed. */
const PAUSE_ROUNDS = 3

export interface DiskTierOptions {
  /** The store behind the cache. */
  readonly inner: Pick<ObjectStore, 'open'>
  /** Shared by all processes of the host. */
  readonly folder: string
  readonly maxBytes: number
  readonly trouble: (error: unknown) => void
  /** Called when the index turned out to be damaged and was discarded with the whole cache, or when another process has
   *  replaced it. What this tier holds is then no longer part of the cache. */
  readonly damaged: () => void
  readonly files?: CacheFiles
  readonly roundMs?: number
  readonly waited?: (ms: number) => void
}

/** The cache tier on the disk of this host. Invariants: concurrent readers of an object, over all processes, share one
 *  read of the inner store. Everything served was compared with the hash in its key, when it was fetched and again by
 *  each process that finds it on disk. The index counts a file before it is written and forgets it after it is deleted,
 *  so the size cap survives a crash. A failure of the cache is reported to `trouble` and fails no read: the inner store
 *  is read instead. */
export class DiskTier {
  readonly #inner: Pick<ObjectStore, 'open'>
  readonly #index: CacheIndex
  readonly #folder: string
  readonly #files: CacheFiles
  readonly #trouble: (error: unknown) => void
  readonly #checkIndex: () => void
  readonly #memory = new MemoryTier({ ttl: 0 })
  readonly #fetches: Fetches
  readonly #copies: Copies
  readonly #removed: RemovedKeys
  readonly #bypassing: SmallReads
  readonly #pending = new Set<Promise<unknown>>()
  readonly #rounds: NodeJS.Timeout
  readonly #closing = new AbortController()
  #hasTidied = true

  /** Throws when the folder or its index cannot be used. */
  constructor(options: DiskTierOptions) {
    const { inner, folder, maxBytes, trouble, damaged, files, roundMs = ROUND_MS, waited } = options
    this.#inner = inner
    this.#folder = folder
    this.#trouble = (error) => {
      if (!(error instanceof IndexPaused)) trouble(error)
      if (!(error instanceof CacheFailure && isUnusable(error.cause))) return
      try {
        discardIndex(folder, inode)
        this.#track(this.#removeDiscarded().catch(trouble))
      } catch (error) {
        trouble(error)
      }
      damaged()
    }
    const objects = files ?? new CacheFiles(join(folder, 'objects'))
    this.#files = objects
    this.#index = new CacheIndex({
      db: openIndexFile(folder),
      capacity: maxBytes,
      self: uniqueProcessName(),
      now: Date.now,
      hasEnded,
      removeFile: (id) => objects.remove(id),
      pauseMs: PAUSE_ROUNDS * roundMs,
      ...(waited && { waited }),
    })
    const inode = indexInode(folder)
    this.#checkIndex = () => indexInode(folder) === inode || damaged()
    const parts = { inner, index: this.#index, files: objects, memory: this.#memory, trouble: this.#trouble }
    this.#fetches = new Fetches({ ...parts, largest: Math.floor(maxBytes * SMALL_SHARE) })
    const reopen = (key: ObjectKey, id: number) => this.#reopening(key, id)
    this.#copies = new Copies({ ...parts, reopen, hit: (id) => this.#countHit(id), served: this.#served })
    this.#removed = new RemovedKeys(this.#index, this.#memory)
    this.#bypassing = new SmallReads(inner, this.#memory)
    this.#rounds = setInterval(() => this.#round(), roundMs).unref()
    this.#track(this.#tidy())
  }

  held(key: ObjectKey): Buffer | null {
    const held = this.#memory.get(key)
    if (!held) return null
    this.#countHit(held.id)
    this.#index.countBytes(held.bytes.length)
    return held.bytes
  }

  async open(key: ObjectKey, range?: ByteRange, size?: number): Promise<OpenObject> {
    checkRange(range)
    const held = this.#memory.get(key)
    if (held) {
      const opened = openBytes(held.bytes, range)
      this.#countHit(held.id)
      this.#served(bytesIn(range, opened.size))
      return opened
    }
    if (this.#closing.signal.aborted) return this.#inner.open(key, range)
    try {
      return await this.#openCached(key, range, size)
    } catch (error) {
      if (!(error instanceof CacheFailure) && !isSystemError(error)) throw error
      this.#trouble(error)
      return this.#openBypassing(key, range, size)
    }
  }

  /** Removes a deleted object from the cache, in all processes. */
  forget(key: ObjectKey): void {
    this.#removed.add(key)
    this.#bypassing.forget(key)
    this.#fetches.get(key)?.forget()
    if (!this.#index.isPaused) this.#attempt(() => this.#removed.publish())
  }

  /** Returns zeros while the index cannot be read. */
  figures(): ReadTotals & { readonly objects: number; readonly bytes: number } {
    try {
      return this.#index.figures()
    } catch (error) {
      this.#trouble(error)
      return { hits: 0, misses: 0, bytesServed: 0, objects: 0, bytes: 0 }
    }
  }

  /** Cancels all fetches; their readers continue from the inner store. */
  async close(): Promise<void> {
    clearInterval(this.#rounds)
    this.#closing.abort()
    this.#fetches.cancelAll()
    await Promise.allSettled(this.#pending)
    this.#attempt(() => this.#removed.publish())
    try {
      this.#index.close()
    } catch (error) {
      this.#trouble(error)
    }
  }

  async #openCached(key: ObjectKey, range: ByteRange | undefined, size: number | undefined): Promise<OpenObject> {
    for (;;) {
      const flight = this.#fetches.get(key)
      const entry = flight ? null : this.#index.find(key)
      if (this.#removed.isUnpublished(key) || (!flight && !entry && this.#isBypassed(key, range, size))) break
      const opened = entry
        ? await this.#copies.open(key, entry, range)
        : await this.#openFlight(key, flight, range, size)
      if (opened) return opened
    }
    return this.#openBypassing(key, range, size)
  }

  /** Reads from the inner store. Concurrent readers of one small object in this process share the read. */
  async #openBypassing(key: ObjectKey, range: ByteRange | undefined, size: number | undefined): Promise<OpenObject> {
    // Finding no read to join and starting one happen in the same turn of the event loop.
    const read = this.#bypassing.join(key)
    const shared = read && (await read)
    if (shared) {
      const opened = openBytes(shared, range)
      this.#countHit(null)
      this.#served(bytesIn(range, opened.size))
      return opened
    }
    this.#index.countMiss()
    return this.#bypassing.open(key, range, size)
  }

  /** Whether a read of an uncached object goes straight to the inner store. */
  #isBypassed(key: ObjectKey, range: ByteRange | undefined, size: number | undefined): boolean {
    return this.#index.isPaused || this.#closing.signal.aborted || this.#fetches.isBypassed(key, range, size)
  }

  /** Opens the object through a running fetch, or starts one. Returns null if the fetch failed to start, was abandoned,
   *  or another process has claimed it. */
  async #openFlight(
    key: ObjectKey,
    joined: Flight | undefined,
    range: ByteRange | undefined,
    size: number | undefined,
  ): Promise<OpenObject | null> {
    const flight = joined ?? this.#fetches.begin(key, size)
    if (!flight) return null
    if (!joined) this.#track(flight.ended.then(() => this.#copies.addVerified(flight.id)))
    const reader = { reopen: this.#reopening(key, flight.id), served: joined ? this.#served : () => undefined }
    try {
      if (joined && (await joined.isShared())) this.#countHit(joined.id)
      else this.#index.countMiss()
      return await flight.open(range, reader)
    } catch (error) {
      if (error instanceof Abandoned) return null
      throw error
    }
  }

  /** Opens an object again, for a reader whose copy `id` ended early. */
  #reopening(key: ObjectKey, id: number): Reopen {
    return async (range) => {
      const isRemoved = this.#attempt(() => this.#index.remove(id))
      const { body } = isRemoved ? await this.open(key, range) : await this.#inner.open(key, range)
      return body
    }
  }

  readonly #served = (bytes: number): void => this.#index.countBytes(bytes)

  #countHit(id: number | null): void {
    this.#index.countHit(id)
    if (this.#index.unwritten >= MOST_READS) this.#attempt(() => this.#index.flush())
  }

  #round(): void {
    if (!this.#hasTidied && !this.#index.isPaused) this.#track(this.#tidy())
    this.#attempt(() => {
      this.#checkIndex()
      if (!this.#index.isPaused) this.#removed.publish()
      this.#index.flush()
      const fetched = this.#fetches.ids
      if (fetched.length > 0) this.#index.beat(fetched)
      this.#removed.receive()
    })
  }

  async #tidy(): Promise<void> {
    this.#hasTidied = true
    try {
      while (!this.#closing.signal.aborted && this.#index.shrink()) await setImmediate()
      await this.#files.sweep(this.#index, this.#closing.signal)
      await this.#removeDiscarded()
    } catch (error) {
      this.#hasTidied = false
      this.#trouble(error)
    }
  }

  /** Deletes the folders of discarded caches. In the background, because they may be large. */
  async #removeDiscarded(): Promise<void> {
    for (const path of discardedIn(this.#folder)) await rm(path, { recursive: true, force: true })
  }

  #attempt(work: () => void): boolean {
    try {
      work()
      return true
    } catch (error) {
      this.#trouble(error)
      return false
    }
  }

  #track(work: Promise<unknown>): void {
    this.#pending.add(work)
    const done = () => this.#pending.delete(work)
    work.then(done, done)
  }
}
