import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { bytesIn, rangeWithin } from '../byte-range.ts'
import { type ByteRange, hashOfKey, type ObjectKey, type ObjectStore, type OpenObject } from '../object-store.ts'
import { joined, openBroken, openBytes, verifiedChunks } from './bytes-body.ts'
import type { CacheIndex } from './cache-index.ts'
import { FileBody } from './file-body.ts'
import { GrowingFile } from './growing-file.ts'
import { type MemoryTier, type Reading, SMALL_BYTES } from './memory-tier.ts'
import { Abandoned } from './source.ts'
import { CacheFailure } from './sql.ts'

/** Milliseconds between two looks whether other processes still want the object. */
const LEFT_MS = 1_000

export interface FlightParts {
  readonly inner: Pick<ObjectStore, 'open'>
  readonly index: CacheIndex
  readonly files: { create(id: number): Promise<FileHandle> }
  readonly memory: MemoryTier
  /** The size in bytes of the largest object that is cached. */
  readonly largest: number
  /** Whether nothing may be cached at the moment. */
  readonly isResting: () => boolean
  /** Called with a failure of the cache that no reader notices. */
  readonly trouble: (error: unknown) => void
  /** Called when no reader can join the fetch any more. */
  readonly onOver: (flight: Flight) => void
  /** Called with objects that the cache does not keep. */
  readonly onTooLarge: (key: ObjectKey) => void
}

/** Whether a fetch of `size` bytes goes on after its last reader has left with `got` of them: only from half on, so
 *  that the store never returns more than twice what was read. */
export const isWorthAll = (got: number, size: number): boolean => 2 * got >= size

/** The outcome of a fetch for everybody who has joined it. */
type Result =
  | { readonly kind: 'held'; readonly bytes: Buffer }
  | { readonly kind: 'file'; readonly file: GrowingFile }
  | { readonly kind: 'broken'; readonly error: Error; readonly size: number }
  | { readonly kind: 'unkept' }

/** One fetch of an object that all concurrent readers share (single flight), paid by whoever starts it. A small object
 *  is read into memory, a larger one into a file that readers follow while it grows; an object that cannot be cached is
 *  read by each reader separately. The fetch is aborted when its last reader leaves, unless that one has read at least
 *  half: then the rest is fetched and cached. */
export class Flight {
  readonly key: ObjectKey
  readonly id: number
  /** Resolves when the fetch has ended, successfully or not. */
  readonly ended: Promise<void>
  readonly #parts: FlightParts
  readonly #result = Promise.withResolvers<Result>()
  #opened: OpenObject | null = null
  #isGivenUp = false
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

  /** The object for one reader. An Abandoned error means that the fetch has ended and the reader must look again;
   *  `again` opens the whole object anew. */
  async open(
    range: ByteRange | undefined,
    { again, served }: { readonly again: () => Promise<Readable>; readonly served: (bytes: number) => void },
  ): Promise<OpenObject> {
    const result = await this.#result.promise
    if (result.kind === 'unkept') return this.#openUnkept(range)
    if (result.kind === 'broken') return openBroken(result.error, result.size)
    if (result.kind === 'held') {
      const opened = openBytes(result.bytes, range)
      served(bytesIn(range, opened.size))
      return opened
    }
    const { file } = result
    const within = rangeWithin(range, file.size)
    if (!file.join()) throw new Abandoned('The fetch is over')
    return { body: new FileBody({ source: file, range: within, again, served }), size: file.size }
  }

  /** The object was deleted: current readers read on, and nothing is cached. */
  forget(): void {
    this.#isForgotten = true
    this.#parts.onOver(this)
  }

  /** Ends the fetch for all readers, who must read elsewhere. */
  giveUp(): void {
    this.#isGivenUp = true
    this.#release()
    this.#opened?.body.destroy()
  }

  async #run(): Promise<void> {
    using reading = this.#parts.memory.reading(this.key)
    try {
      const opened = await this.#parts.inner.open(this.key)
      this.#opened = opened
      // It may break before anybody reads it; whoever does so later hears of it.
      opened.body.on('error', () => undefined)
      if (this.#isGivenUp) throw new Abandoned('Given up')
      if (opened.size <= SMALL_BYTES) await this.#takeSmall(opened, reading)
      else await this.#takeLarge(opened)
    } catch (error) {
      this.#opened?.body.destroy()
      if (this.#isGivenUp) this.#result.reject(new Abandoned('Given up', { cause: error }))
      else if (this.#opened && error instanceof Error) {
        this.#result.resolve({ kind: 'broken', error, size: this.#opened.size })
      } else this.#result.reject(error)
      this.#release()
    } finally {
      this.#parts.onOver(this)
    }
  }

  async #takeSmall({ body, size }: OpenObject, reading: Reading): Promise<void> {
    const bytes = joined(await Array.fromAsync(verifiedChunks(body, size, hashOfKey(this.key))), size)
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
    if (!handle) return this.#leaveToReaders(body)
    const file = new GrowingFile(handle, size, (got) => this.#endUnlessWanted(file, got))
    this.#result.resolve({ kind: 'file', file })
    // By then whoever has waited has joined, or wanted bytes that there are not.
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
      const isOthersAffair = isWritten && !this.#isGivenUp && error instanceof Error
      file.settle(isOthersAffair ? error : new Abandoned('The fetch has ended', { cause: error }))
    }
  }

  /** A file with space reserved for the object; null, with the claim given back, when it cannot be cached. */
  async #makeFile(size: number): Promise<FileHandle | null> {
    const { index, files, largest, onTooLarge, isResting, trouble } = this.#parts
    try {
      if (size > largest) onTooLarge(this.key)
      else if (!isResting() && (await this.#reserve(size, index))) return await files.create(this.id)
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

  /** Who wants the whole takes what has been opened already; the others ask for theirs. */
  async #leaveToReaders(body: Readable): Promise<void> {
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

  /** Ends a fetch whose last reader has left with `got` bytes, unless it has ended by now or is wanted all the same. */
  #endUnlessWanted(file: GrowingFile, got: number): void {
    if (file.isSettled || this.#isGivenUp || isWorthAll(got, file.size)) return
    if (!this.#isWantedElsewhere()) this.giveUp()
    else setTimeout(() => file.readers > 0 || this.#endUnlessWanted(file, got), LEFT_MS).unref()
  }

  #isWantedElsewhere(): boolean {
    try {
      return this.#parts.index.isWanted(this.id)
    } catch {
      return false
    }
  }

  /** Gives back the claim with what there is of the file, unless it is whole. */
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
