import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type ByteRange, isObjectKey, type ObjectKey, type ObjectStore, type OpenObject } from '../object-store.ts'
import { openBytes, rangeWithin } from './bytes-body.ts'
import { CacheFiles } from './cache-files.ts'
import { CacheIndex, type Counts, type Entry, IndexRests, MOST_READS, REMOVAL_MS } from './cache-index.ts'
import { FileBody } from './file-body.ts'
import { Flight, isWorthAll } from './flight.ts'
import { follow } from './followed-file.ts'
import { discardIndex, inodeOfIndex, isUseless, openIndexFile } from './index-file.ts'
import { MemoryTier, SMALL_BYTES } from './memory-tier.ts'
import { hasEnded, nameOfProcess } from './processes.ts'
import { SMALL_SHARE } from './s3-fifo.ts'
import { SoundCopies } from './sound-copies.ts'
import { Abandoned, readFully, type Source, WholeFile } from './source.ts'
import { CacheFailure } from './sql.ts'

/** Milliseconds between two rounds in which reads are written, removals heard of and signs of life given. */
const ROUND_MS = 1_000
/** Rounds for which the index is not written to when it could not be. */
const REST_ROUNDS = 3
/** Milliseconds for which nothing more is kept when something could not be: a full disk is not tried again for each object. */
const REST_MS = 10_000
/** Keys that are remembered because the cache does not take them, and as many of which little was wanted. */
const REMEMBERED = 10_000

export interface DiskTierOptions {
  /** In front of which it stands. */
  readonly inner: Pick<ObjectStore, 'open'>
  /** Shared by all processes of the host. */
  readonly folder: string
  readonly maxBytes: number
  readonly trouble: (error: unknown) => void
  /** The index turned out to be damaged, and was taken away with all that was kept: this tier keeps nothing any more. */
  readonly damaged: () => void
  readonly files?: CacheFiles
  readonly roundMs?: number
}

/**
 * Objects on the disk of this host, in front of a store that is slow or costs money. Whatever fails in it is told to
 * `trouble`, and the store below is read as if it were not there.
 */
export class DiskTier {
  readonly #inner: Pick<ObjectStore, 'open'>
  readonly #index: CacheIndex
  readonly #files: CacheFiles
  readonly #trouble: (error: unknown) => void
  readonly #largest: number
  readonly #memory = new MemoryTier({ ttl: 0 })
  readonly #flights = new Map<ObjectKey, Flight>()
  readonly #underway = new Set<Promise<unknown>>()
  readonly #sound = new SoundCopies()
  readonly #tooLarge = new LRUCache<ObjectKey, true>({ max: REMEMBERED })
  /** The sizes of objects whose fetch was ended because little of them was wanted. */
  readonly #deserted = new LRUCache<ObjectKey, number>({ max: REMEMBERED })
  readonly #rounds: NodeJS.Timeout
  readonly #closing = new AbortController()
  /** Removed keys that the index may have yet. */
  readonly #toForget = new Set<ObjectKey>()
  #isTidy = true
  #lastRemoval: number
  #roundAt = performance.now()
  #restsUntil = 0

  /** Throws when the folder or the index in it cannot be used. */
  constructor({ inner, folder, maxBytes, trouble, damaged, files, roundMs = ROUND_MS }: DiskTierOptions) {
    this.#inner = inner
    this.#trouble = (error) => {
      if (!(error instanceof IndexRests)) trouble(error)
      if (!(error instanceof CacheFailure && isUseless(error.cause))) return
      discardIndex(folder, inode)
      damaged()
    }
    this.#largest = Math.floor(maxBytes * SMALL_SHARE)
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
    this.#lastRemoval = this.#index.removalsAfter(0).last
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

  async open(key: ObjectKey, range?: ByteRange): Promise<OpenObject> {
    if (range && !(range.start >= 0 && range.start <= range.end)) {
      throw new RangeError(`Bytes ${range.start}-${range.end} of an object`)
    }
    const held = this.#memory.get(key)
    if (held) {
      const opened = openBytes(held.bytes, range)
      this.#countHit(held.id)
      this.#served(range ? range.end - range.start + 1 : opened.size)
      return opened
    }
    if (this.#closing.signal.aborted) return this.#inner.open(key, range)
    try {
      return await this.#openCached(key, range)
    } catch (error) {
      if (!(error instanceof CacheFailure) && !isOfDisk(error)) throw error
      this.#trouble(error)
      return this.#inner.open(key, range)
    }
  }

  /** Forgets an object that has been removed, here and in the other processes. */
  forget(key: ObjectKey): void {
    this.#memory.delete(key)
    this.#flights.get(key)?.forget()
    this.#toForget.add(key)
    if (!this.#index.isResting) this.#attempt(() => this.#forgetRemoved())
  }

  figures(): Counts & { readonly objects: number; readonly bytes: number } {
    return this.#index.figures()
  }

  /** Ends what is fetched: its readers go on from the store below. */
  async close(): Promise<void> {
    clearInterval(this.#rounds)
    this.#closing.abort()
    for (const flight of this.#flights.values()) flight.giveUp()
    await Promise.allSettled(this.#underway)
    this.#attempt(() => this.#forgetRemoved())
    try {
      this.#index.close()
    } catch (error) {
      this.#trouble(error)
    }
  }

  async #openCached(key: ObjectKey, range: ByteRange | undefined): Promise<OpenObject> {
    for (;;) {
      const flight = this.#flights.get(key)
      const entry = flight ? null : this.#index.find(key)
      if (this.#toForget.has(key) || (!flight && !entry && this.#isPassed(key, range))) break
      const opened = entry ? await this.#openEntry(key, entry, range) : await this.#openFlight(key, flight, range)
      if (opened) return opened
    }
    this.#index.countMiss()
    return this.#inner.open(key, range)
  }

  /** Whether an object that is not in the cache is read past it. */
  #isPassed(key: ObjectKey, range: ByteRange | undefined): boolean {
    // Each fetch for a few bytes far behind would read all that is before them, and be ended again.
    if (range && !isWorthAll(range.end + 1 - range.start, this.#deserted.get(key) ?? 0)) return true
    // What cannot be kept is nobody's but the reader's: a whole object would be opened for nothing.
    if (range && this.#areFilesResting()) return true
    return this.#tooLarge.has(key) || this.#index.isResting || this.#closing.signal.aborted
  }

  /** By a fetch that is under way, or by one that begins with it. Null when it came to nothing, or another process was first. */
  async #openFlight(
    key: ObjectKey,
    joined: Flight | undefined,
    range: ByteRange | undefined,
  ): Promise<OpenObject | null> {
    const flight = joined ?? this.#fetch(key)
    if (!flight) return null
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

  /** Null when there was nothing to be had of it: then the index has another one, or none. */
  async #openEntry(key: ObjectKey, entry: Entry, range: ByteRange | undefined): Promise<OpenObject | null> {
    if (entry.isWhole) return this.#openWhole(key, entry, range)
    // Nobody here fetches it: a claim of this process could not be given back.
    if (this.#index.isClaimedHere(entry) || this.#index.hasLapsed(entry)) {
      this.#index.remove(entry.id)
      return null
    }
    const source = await follow(entry.id, this.#index, this.#files)
    return source && this.#openSource(key, entry.id, source, range)
  }

  async #openWhole(key: ObjectKey, { id, size }: Entry, range: ByteRange | undefined): Promise<OpenObject | null> {
    rangeWithin(range, size)
    const handle = await this.#files.open(id)
    if (handle && (await this.#sound.isSound(id, key, size, handle).catch(() => false))) {
      if (size > SMALL_BYTES) return this.#openSource(key, id, new WholeFile(handle, size), range)
      const bytes = Buffer.allocUnsafeSlow(size)
      const filled = await readFully(handle, bytes, 0).finally(() => handle.close())
      if (filled === size) {
        this.#memory.set(key, bytes, id)
        this.#countHit(id)
        this.#served(range ? range.end - range.start + 1 : size)
        return openBytes(bytes, range)
      }
    } else {
      await handle?.close()
    }
    this.#index.remove(id)
    return null
  }

  #openSource(key: ObjectKey, id: number, source: Source, range: ByteRange | undefined): OpenObject {
    try {
      const within = rangeWithin(range, source.size)
      this.#countHit(id)
      const body = new FileBody({ source, range: within, again: () => this.#again(key, id), served: this.#served })
      return { body, size: source.size }
    } catch (error) {
      source.leave(0)
      throw error
    }
  }

  #fetch(key: ObjectKey): Flight | null {
    const id = this.#index.claim(key)
    if (id === null) return null
    const parts = {
      inner: this.#inner,
      index: this.#index,
      files: this.#files,
      memory: this.#memory,
      largest: this.#largest,
      isResting: () => this.#areFilesResting(),
      trouble: (error: unknown) => {
        if (!(error instanceof IndexRests)) this.#restsUntil = performance.now() + REST_MS
        this.#trouble(error)
      },
      over: (over: Flight) => {
        if (this.#flights.get(key) === over) this.#flights.delete(key)
      },
      deserted: (size: number) => this.#deserted.set(key, size),
      tooLarge: () => this.#tooLarge.set(key, true),
    }
    const flight = new Flight(parts, key, id)
    this.#flights.set(key, flight)
    this.#track(flight.ended.then(() => this.#sound.add(id)))
    return flight
  }

  /** The whole object once more, for a reader whose copy gives no more of it. */
  async #again(key: ObjectKey, id: number): Promise<Readable> {
    const isRemoved = this.#attempt(() => this.#index.remove(id))
    const { body } = isRemoved ? await this.open(key) : await this.#inner.open(key)
    return body
  }

  #areFilesResting(): boolean {
    return performance.now() < this.#restsUntil
  }

  readonly #served = (bytes: number): void => this.#index.countBytes(bytes)

  #countHit(id: number | null): void {
    this.#index.countHit(id)
    if (this.#index.unwritten >= MOST_READS) this.#attempt(() => this.#index.flush())
  }

  #round(): void {
    if (!this.#isTidy && !this.#index.isResting) this.#track(this.#tidy())
    this.#attempt(() => {
      if (!this.#index.isResting) this.#forgetRemoved()
      this.#index.flush()
      if (this.#flights.size > 0) this.#index.beat([...this.#flights.values()].map(({ id }) => id))
      const { keys, last } = this.#index.removalsAfter(this.#lastRemoval)
      for (const key of keys) if (isObjectKey(key)) this.#memory.delete(key)
      this.#lastRemoval = last
      // What was removed long ago is told no more: a process that slept cannot know.
      if (performance.now() - this.#roundAt > REMOVAL_MS / 2) this.#memory.clear()
      this.#roundAt = performance.now()
    })
  }

  #forgetRemoved(): void {
    for (const key of this.#toForget) {
      this.#index.removeKey(key)
      this.#toForget.delete(key)
    }
  }

  async #tidy(): Promise<void> {
    this.#isTidy = true
    try {
      while (!this.#closing.signal.aborted && this.#index.shrink()) await setImmediate()
      await this.#files.sweep(this.#index, this.#closing.signal)
    } catch (error) {
      this.#isTidy = false
      this.#trouble(error)
    }
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

const isOfDisk = (error: unknown): boolean => error instanceof Error && 'syscall' in error
