import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { bytesIn, rangeWithin } from '../byte-range.ts'
import {
  type ByteRange,
  hashOfKey,
  ObjectCorrupt,
  type ObjectKey,
  type ObjectStore,
  type OpenObject,
  WHOLE_BYTES,
} from '../object-store.ts'
import { concatenate, openBytes, openFailing, verifiedChunks } from './bytes-body.ts'
import type { CacheIndex } from './cache-index.ts'
import { FileBody, type Reopen } from './file-body.ts'
import { GrowingFile } from './growing-file.ts'
import { type MemoryTier, type Reading, SMALL_BYTES } from './memory-tier.ts'
import { Abandoned } from './source.ts'
import { CacheFailure } from './sql.ts'

/** Milliseconds between checks whether other processes still want the object. */
const LEFT_MS = 1_000

export interface FlightParts {
  readonly inner: Pick<ObjectStore, 'open'>
  readonly index: CacheIndex
  readonly files: { create(id: number): Promise<FileHandle> }
  readonly memory: MemoryTier
  /** Bytes that the object must have, if known. */
  readonly expected: number | undefined
  /** Size in bytes of the largest object that is cached. */
  readonly largest: number
  /** Whether caching is paused. */
  readonly isPaused: () => boolean
  /** Called with a cache failure that no reader notices. */
  readonly trouble: (error: unknown) => void
  /** Called when no more readers can join. */
  readonly onOver: (flight: Flight) => void
  /** Called for an object that is too large to cache. */
  readonly onTooLarge: (key: ObjectKey) => void
}

/** Whether a fetch of `size` bytes continues after its last reader has left with `got` of them. Everyone who began one has
 *  paid for all of it; the rest of a large object is not worth a bucket's bill unless half of it has come. */
const isWorthAll = (got: number, size: number): boolean => size <= WHOLE_BYTES || 2 * got >= size

/** The outcome of a fetch for everyone who joined it. */
type Result =
  | { readonly kind: 'held'; readonly bytes: Buffer }
  | { readonly kind: 'file'; readonly file: GrowingFile }
  | { readonly kind: 'failed'; readonly error: Error; readonly size: number }
  | { readonly kind: 'unkept' }

/** One fetch of an object that all concurrent readers share (single flight), charged to whoever starts it. A small
 *  object is read into memory; a larger one into a file that readers follow as it grows; one that cannot be cached is
 *  read by each reader separately. The fetch of a large object is cancelled when its last reader leaves having read less
 *  than half; every other is finished and cached. */
export class Flight {
  readonly key: ObjectKey
  readonly id: number
  /** Resolves when the fetch has ended, successfully or not. */
  readonly ended: Promise<void>
  readonly #parts: FlightParts
  readonly #result = Promise.withResolvers<Result>()
  #opened: OpenObject | null = null
  #isCancelled = false
  #isForgotten = false
  #isKept = false

  constructor(parts: FlightParts, key: ObjectKey, id: number) {
    this.#parts = parts
    this.key = key
    this.id = id
    this.#result.promise.catch(() => undefined)
    this.ended = this.#run()
  }

  /** Whether readers who join share one read of the store. */
  async isShared(): Promise<boolean> {
    return (await this.#result.promise).kind !== 'unkept'
  }

  /** Opens the object for one reader. Throws Abandoned when the fetch has ended; the caller must look in the index
   *  again. */
  async open(
    range: ByteRange | undefined,
    { reopen, served }: { readonly reopen: Reopen; readonly served: (bytes: number) => void },
  ): Promise<OpenObject> {
    const result = await this.#result.promise
    if (result.kind === 'unkept') return this.#openUnkept(range)
    if (result.kind === 'failed') return openFailing(result.error, result.size)
    if (result.kind === 'held') {
      const opened = openBytes(result.bytes, range)
      served(bytesIn(range, opened.size))
      return opened
    }
    const { file } = result
    const within = rangeWithin(range, file.size)
    if (!file.join()) throw new Abandoned('fetch ended')
    return { body: new FileBody({ source: file, range: within, reopen, served }), size: file.size }
  }

  /** Called when the object is deleted: current readers continue, and nothing is cached. */
  forget(): void {
    this.#isForgotten = true
    this.#parts.onOver(this)
  }

  /** Ends the fetch for all readers, who must read elsewhere. */
  cancel(): void {
    this.#isCancelled = true
    this.#release()
    this.#opened?.body.destroy()
  }

  async #run(): Promise<void> {
    using reading = this.#parts.memory.reading(this.key)
    try {
      const opened = await this.#parts.inner.open(this.key)
      this.#opened = opened
      // The body may fail before anyone reads it; a later reader still gets the error.
      opened.body.on('error', () => undefined)
      if (this.#isCancelled) throw new Abandoned('fetch cancelled')
      const { expected = opened.size } = this.#parts
      if (opened.size !== expected) throw new ObjectCorrupt(`${opened.size} bytes in place of ${expected}`)
      if (opened.size <= SMALL_BYTES) await this.#takeSmall(opened, reading)
      else await this.#takeLarge(opened)
    } catch (error) {
      this.#opened?.body.destroy()
      if (this.#isCancelled) this.#result.reject(new Abandoned('fetch cancelled', { cause: error }))
      else if (this.#opened && error instanceof Error) {
        this.#result.resolve({ kind: 'failed', error, size: this.#opened.size })
      } else this.#result.reject(error)
      this.#release()
    } finally {
      this.#parts.onOver(this)
    }
  }

  async #takeSmall({ body, size }: OpenObject, reading: Reading): Promise<void> {
    const bytes = concatenate(await Array.fromAsync(verifiedChunks(body, size, hashOfKey(this.key))), size)
    reading.hold(bytes, this.id)
    this.#result.resolve({ kind: 'held', bytes })
    const handle = await this.#makeFile(size)
    if (!handle) return
    try {
      await handle.writeFile(bytes)
      this.#commit()
    } catch (error) {
      this.#parts.trouble(error)
      this.#release()
    } finally {
      await handle.close().catch(() => undefined)
    }
  }

  async #takeLarge({ body, size }: OpenObject): Promise<void> {
    const handle = await this.#makeFile(size)
    if (!handle) return this.#letReadersOpen(body)
    const file = new GrowingFile(handle, size, (got) => this.#endUnlessWanted(file, got))
    this.#result.resolve({ kind: 'file', file })
    // By then everyone who waited has joined, or asked for a range outside of the object.
    setImmediate().then(() => file.readers > 0 || this.#endUnlessWanted(file, 0))
    let isWritten = true
    try {
      for await (const chunk of verifiedChunks(body, size, hashOfKey(this.key))) {
        isWritten = false
        await file.append(chunk)
        isWritten = true
      }
      this.#commit()
      this.#parts.onOver(this)
      file.settle(null)
    } catch (error) {
      if (!isWritten || error instanceof CacheFailure) this.#parts.trouble(error)
      this.#release()
      const isStoreFailure = isWritten && !this.#isCancelled && error instanceof Error
      file.settle(isStoreFailure ? error : new Abandoned('fetch ended', { cause: error }))
    }
  }

  /** Creates a file with space reserved for the object. Returns null, with the claim released, if it cannot be
   *  cached. */
  async #makeFile(size: number): Promise<FileHandle | null> {
    const { index, files, largest, onTooLarge, isPaused, trouble } = this.#parts
    try {
      if (size > largest) onTooLarge(this.key)
      else if (!isPaused() && (await this.#reserve(size, index))) return await files.create(this.id)
    } catch (error) {
      trouble(error)
    }
    this.#release()
    return null
  }

  async #reserve(size: number, index: CacheIndex): Promise<boolean> {
    for (;;) {
      const outcome = index.reserve(this.id, size)
      if (outcome !== 'more') return outcome === 'reserved'
      await setImmediate()
    }
  }

  #commit(): void {
    this.#isKept = !this.#isForgotten && this.#parts.index.commit(this.id)
    if (!this.#isKept) this.#release()
  }

  /** The first reader of the whole object takes over the open body; the others open their own. */
  async #letReadersOpen(body: Readable): Promise<void> {
    this.#result.resolve({ kind: 'unkept' })
    this.#parts.onOver(this)
    await setImmediate()
    if (this.#opened) body.destroy()
  }

  #openUnkept(range: ByteRange | undefined): Promise<OpenObject> | OpenObject {
    const opened = this.#opened
    if (range || !opened) return this.#parts.inner.open(this.key, range)
    this.#opened = null
    return opened
  }

  /** Cancels the fetch after its last reader left with `got` bytes, unless it has ended or another process wants it. */
  #endUnlessWanted(file: GrowingFile, got: number): void {
    if (file.isSettled || this.#isCancelled || isWorthAll(got, file.size)) return
    if (!this.#isWantedElsewhere()) this.cancel()
    else setTimeout(() => file.readers > 0 || this.#endUnlessWanted(file, got), LEFT_MS).unref()
  }

  #isWantedElsewhere(): boolean {
    try {
      return this.#parts.index.isWanted(this.id)
    } catch {
      return false
    }
  }

  /** Releases the claim and deletes the partial file, unless the copy is complete. */
  #release(): void {
    this.#parts.onOver(this)
    if (this.#isKept) return
    try {
      this.#parts.index.remove(this.id)
    } catch (error) {
      this.#parts.trouble(error)
    }
  }
}
