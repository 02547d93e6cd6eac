import { Readable } from 'node:stream'
import { bytesIn } from '../byte-range.ts'
import { type ByteRange, ObjectCorrupt, ObjectStoreUnavailable } from '../object-store.ts'
import { isSystemError } from '../system-error.ts'
import { Abandoned, type Source } from './source.ts'

/** Read size in bytes. A slow reader holds no more than one chunk in memory. */
const CHUNK = 64 * 1024

/** Opens a range of the object again, or the whole for none, for a reader whose source ended early. */
export type Reopen = (range: ByteRange | undefined) => Promise<Readable>

export interface FileBodyOptions {
  readonly source: Source
  /** Must lie within the object. */
  readonly range: ByteRange
  readonly reopen: Reopen
  /** Called with the number of bytes served from the cache. */
  readonly served: (bytes: number) => void
}

/** Reads a range of a file that may still be growing. If it stops growing early, the object is opened again, and what
 *  the reader has received so far is compared with the new bytes: the reader gets one consistent object or an error. */
export class FileBody extends Readable {
  readonly #options: FileBodyOptions
  readonly #closed = new AbortController()
  #at: number
  #rest: AsyncGenerator<Buffer> | null = null
  #restBody: Readable | null = null

  constructor(options: FileBodyOptions) {
    super({ highWaterMark: CHUNK })
    this.#options = options
    this.#at = options.range.start
  }

  override _read(): void {
    this.#next().then(
      (chunk) => this.destroyed || this.push(chunk),
      (error: Error) => this.destroy(error),
    )
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#closed.abort()
    this.#restBody?.on('error', () => undefined).destroy()
    this.#options.source.leave(this.#at - this.#options.range.start)
    callback(error)
  }

  async #next(): Promise<Buffer | null> {
    if (this.#at > this.#options.range.end) return null
    if (!this.#rest) {
      const chunk = await this.#nextOfFile()
      if (chunk) return chunk
      if (this.destroyed) return null
      this.#rest = this.#readAgain()
    }
    const { value, done } = await this.#rest.next()
    return done ? null : value
  }

  /** Returns null when the file has no more bytes. */
  async #nextOfFile(): Promise<Buffer | null> {
    const { source, range, served } = this.#options
    try {
      const available = await source.beyond(this.#at, this.#closed.signal)
      const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK, available - this.#at, range.end + 1 - this.#at))
      const filled = await source.read(buffer, this.#at)
      if (filled < buffer.length) return null
      this.#at += filled
      served(filled)
      return buffer
    } catch (error) {
      if (error instanceof Abandoned || isSystemError(error)) return null
      throw error
    }
  }

  async *#readAgain(): AsyncGenerator<Buffer> {
    const { range, reopen, source } = this.#options
    // No more than the reader is charged for; the whole as such, so that it is verified.
    const body = await reopen(bytesIn(range, source.size) === source.size ? undefined : range)
    this.#restBody = body
    if (this.destroyed) return void body.on('error', () => undefined).destroy()
    let from = range.start
    for await (const chunk of body) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('chunk is not a Buffer')
      await this.#compareWithSent(chunk, from)
      const rest = chunk.subarray(Math.max(0, this.#at - from), Math.max(0, range.end + 1 - from))
      from += chunk.length
      if (rest.length === 0) continue
      this.#at += rest.length
      yield rest
      if (this.#at > range.end) return
    }
    if (this.#at <= range.end) throw new ObjectStoreUnavailable('object body interrupted')
  }

  /** Compares the part of these bytes that the reader already received. */
  async #compareWithSent(chunk: Buffer, from: number): Promise<void> {
    const { source, range } = this.#options
    const [start, end] = [Math.max(from, range.start), Math.min(from + chunk.length, this.#at)]
    if (start >= end) return
    const given = Buffer.allocUnsafeSlow(end - start)
    const filled = await source.read(given, start)
    if (filled === given.length && given.equals(chunk.subarray(start - from, end - from))) return
    throw new ObjectCorrupt('bytes differ from those already sent')
  }
}
