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

/** Milliseconds between two looks whether readers of other processes are left. */
const LEFT_MS = 1_000

export interface FlightParts {
  readonly inner: Pick<ObjectStore, 'open'>
  readonly index: CacheIndex
  readonly files: { create(id: number): Promise<FileHandle> }
  readonly memory: MemoryTier
  /** Bytes of the largest object that is kept. */
  readonly largest: number
  /** Whether nothing is to be kept now. */
  readonly isResting: () => boolean
  /** The cache did not do its part, and nobody notices but whoever looks after it. */
  readonly trouble: (error: unknown) => void
  /** Nobody can join the fetch any more. */
  readonly onOver: (flight: Flight) => void
  /** Told of an object's bytes when the fetch is ended because nobody reads it any more. */
  readonly onUnwanted: (size: number) => void
  /** Told of objects that the cache does not take. */
  readonly onTooLarge: (key: ObjectKey) => void
}

/** Whether a reader of `got` bytes has a fetch of all `size` go on: the store below gives no more than twice what is read. */
export const isWorthAll = (got: number, size: number): boolean => 2 * got >= size

/** What a fetch comes to, for all who have joined it. */
type Result =
  | { readonly kind: 'held'; readonly bytes: Buffer }
  | { readonly kind: 'file'; readonly file: GrowingFile }
  | { readonly kind: 'broken'; readonly error: Error; readonly size: number }
  | { readonly kind: 'unkept' }

/**
 * One fetch of an object (single flight), at the expense of whoever starts it, for all who want it meanwhile. A small one is
 * taken into memory, a larger one into a file that its readers follow; what cannot be kept is each reader's own affair. It
 * ends when its last reader leaves, unless that one has got half of the object or more: then the rest is fetched to be kept.
 */
export class Flight {
  readonly key: ObjectKey
  readonly id: number
  /** Resolves when all is done, well or not. */
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

  /** Whether those who join read the store once, together. */
  async isShared(): Promise<boolean> {
    return (await this.#result.promise).kind !== 'unkept'
  }

  /** For one reader, who must look again if it is Abandoned by then; `again` opens the whole object anew. */
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

  /** The object is removed: who reads it reads on, and nothing of it is kept. */
  forget(): void {
    this.#isForgotten = true
    this.#parts.onOver(this)
  }

  /** Ends it for all readers, who must look elsewhere. */
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

  /** A file with room for the object; null, with the claim given back, when it cannot be kept. */
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
    if (this.#isWantedElsewhere()) {
      setTimeout(() => file.readers > 0 || this.#endUnlessWanted(file, got), LEFT_MS).unref()
    } else {
      this.#parts.onUnwanted(file.size)
      this.giveUp()
    }
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
