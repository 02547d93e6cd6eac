import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { bytesIn, checkRange } from '../byte-range.ts'
import type { ByteRange, ObjectKey, ObjectStore, OpenObject } from '../object-store.ts'
import { hasEnded, nameOfProcess } from '../process-mark.ts'
import { isOfSystem } from '../system-error.ts'
import { openBytes } from './bytes-body.ts'
import { CacheFiles } from './cache-files.ts'
import { CacheIndex, IndexRests } from './cache-index.ts'
import { Copies } from './copies.ts'
import { Fetches } from './fetches.ts'
import type { Flight } from './flight.ts'
import { discardedIn, discardIndex, inodeOfIndex, isUseless, openIndexFile } from './index-file.ts'
import { MemoryTier } from './memory-tier.ts'
import { type Counts, MOST_READS } from './read-counts.ts'
import { RemovedKeys } from './removed-keys.ts'
import { SMALL_SHARE } from './s3-fifo.ts'
import { SmallReads } from './small-reads.ts'
import { Abandoned } from './source.ts'
import { CacheFailure } from './sql.ts'

/** Milliseconds between two rounds, each of which writes read counts, looks for removals by other processes and renews
 *  claims. */
const ROUND_MS = 1_000
/** Rounds without a write to the index after one has failed. */
const REST_ROUNDS = 3

export interface DiskTierOptions {
  /** The store that is cached. */
  readonly inner: Pick<ObjectStore, 'open'>
  /** Shared by all processes of the host. */
  readonly folder: string
  readonly maxBytes: number
  readonly trouble: (error: unknown) => void
  /** The index turned out to be damaged, and was taken away with all that was kept, or another process has begun it anew:
   *  what this tier keeps is no part of the cache any more. */
  readonly damaged: () => void
  readonly files?: CacheFiles
  readonly roundMs?: number
}

/** The tier of the cache that keeps objects on the disk of this host. Every failure of its own is reported to
 *  `trouble`, and the inner store is read as if the tier were not there. */
export class DiskTier {
  readonly #inner: Pick<ObjectStore, 'open'>
  readonly #index: CacheIndex
  readonly #folder: string
  readonly #files: CacheFiles
  readonly #trouble: (error: unknown) => void
  readonly #lookAtIndex: () => void
  readonly #memory = new MemoryTier({ ttl: 0 })
  readonly #fetches: Fetches
  readonly #copies: Copies
  readonly #removed: RemovedKeys
  readonly #bypassing: SmallReads
  readonly #underway = new Set<Promise<unknown>>()
  readonly #rounds: NodeJS.Timeout
  readonly #closing = new AbortController()
  #isTidy = true

  /** Throws when the folder or the index in it cannot be used. */
  constructor({ inner, folder, maxBytes, trouble, damaged, files, roundMs = ROUND_MS }: DiskTierOptions) {
    this.#inner = inner
    this.#folder = folder
    this.#trouble = (error) => {
      if (!(error instanceof IndexRests)) trouble(error)
      if (!(error instanceof CacheFailure && isUseless(error.cause))) return
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
      self: nameOfProcess(),
      now: Date.now,
      hasEnded,
      removeFile: (id) => objects.remove(id),
      restMs: REST_ROUNDS * roundMs,
    })
    const inode = inodeOfIndex(folder)
    this.#lookAtIndex = () => inodeOfIndex(folder) === inode || damaged()
    const parts = { inner, index: this.#index, files: objects, memory: this.#memory, trouble: this.#trouble }
    this.#fetches = new Fetches({ ...parts, largest: Math.floor(maxBytes * SMALL_SHARE) })
    const again = (key: ObjectKey, id: number) => this.#again(key, id)
    this.#copies = new Copies({ ...parts, again, hit: (id) => this.#countHit(id), served: this.#served })
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
      if (!(error instanceof CacheFailure) && !isOfSystem(error)) throw error
      this.#trouble(error)
      return this.#openBypassing(key, range)
    }
  }

  /** Removes a deleted object, here and in the other processes. */
  forget(key: ObjectKey): void {
    this.#removed.add(key)
    this.#bypassing.forget(key)
    this.#fetches.get(key)?.forget()
    if (!this.#index.isResting) this.#attempt(() => this.#removed.tell())
  }

  /** All zero while the index cannot be read. */
  figures(): Counts & { readonly objects: number; readonly bytes: number } {
    try {
      return this.#index.figures()
    } catch (error) {
      this.#trouble(error)
      return { hits: 0, misses: 0, bytesServed: 0, objects: 0, bytes: 0 }
    }
  }

  /** Aborts all fetches; their readers go on from the inner store. */
  async close(): Promise<void> {
    clearInterval(this.#rounds)
    this.#closing.abort()
    this.#fetches.giveUp()
    await Promise.allSettled(this.#underway)
    this.#attempt(() => this.#removed.tell())
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
      if (this.#removed.isUntold(key) || (!flight && !entry && this.#isBypassed(key, range, size))) break
      const opened = entry ? await this.#copies.open(key, entry, range) : await this.#openFlight(key, flight, range)
      if (opened) return opened
    }
    return this.#openBypassing(key, range)
  }

  /** From the store below, with whoever else in this process wants the whole of a small object. */
  async #openBypassing(key: ObjectKey, range: ByteRange | undefined): Promise<OpenObject> {
    // No turn of the event loop lies between a look that finds nobody and the beginning of a read.
    const read = this.#bypassing.join(key)
    const shared = read && (await read)
    if (shared) {
      const opened = openBytes(shared, range)
      this.#countHit(null)
      this.#served(bytesIn(range, opened.size))
      return opened
    }
    this.#index.countMiss()
    return range ? this.#inner.open(key, range) : this.#bypassing.open(key)
  }

  /** Whether a read of an uncached object goes straight to the inner store. */
  #isBypassed(key: ObjectKey, range: ByteRange | undefined, size: number | undefined): boolean {
    return this.#index.isResting || this.#closing.signal.aborted || this.#fetches.isBypassed(key, range, size)
  }

  /** By a fetch that is under way, or by one that begins with it. Null when it came to nothing, or another process was
   *  first. */
  async #openFlight(
    key: ObjectKey,
    joined: Flight | undefined,
    range: ByteRange | undefined,
  ): Promise<OpenObject | null> {
    const flight = joined ?? this.#fetches.begin(key)
    if (!flight) return null
    if (!joined) this.#track(flight.ended.then(() => this.#copies.addVerified(flight.id)))
    const reader = { again: () => this.#again(key, flight.id), served: joined ? this.#served : () => undefined }
    try {
      if (joined && (await joined.isShared())) this.#countHit(joined.id)
      else this.#index.countMiss()
      return await flight.open(range, reader)
    } catch (error) {
      if (error instanceof Abandoned) return null
      throw error
    }
  }

  /** The whole object once more, for a reader whose copy gives no more of it. */
  async #again(key: ObjectKey, id: number): Promise<Readable> {
    const isRemoved = this.#attempt(() => this.#index.remove(id))
    const { body } = isRemoved ? await this.open(key) : await this.#inner.open(key)
    return body
  }

  readonly #served = (bytes: number): void => this.#index.countBytes(bytes)

  #countHit(id: number | null): void {
    this.#index.countHit(id)
    if (this.#index.unwritten >= MOST_READS) this.#attempt(() => this.#index.flush())
  }

  #round(): void {
    if (!this.#isTidy && !this.#index.isResting) this.#track(this.#tidy())
    this.#attempt(() => {
      this.#lookAtIndex()
      if (!this.#index.isResting) this.#removed.tell()
      this.#index.flush()
      const fetched = this.#fetches.ids
      if (fetched.length > 0) this.#index.beat(fetched)
      this.#removed.hear()
    })
  }

  async #tidy(): Promise<void> {
    this.#isTidy = true
    try {
      while (!this.#closing.signal.aborted && this.#index.shrink()) await setImmediate()
      await this.#files.sweep(this.#index, this.#closing.signal)
      await this.#removeDiscarded()
    } catch (error) {
      this.#isTidy = false
      this.#trouble(error)
    }
  }

  /** Deletes the folders of discarded caches, in the background because they may be large. */
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
    this.#underway.add(work)
    const done = () => this.#underway.delete(work)
    work.then(done, done)
  }
}
