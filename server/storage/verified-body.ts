import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { ObjectCorrupt, ObjectStoreUnavailable } from './object-store.ts'

/** What the body must match. */
export interface Expected {
  readonly bytes: number
  /** In hex; null for a range, whose hash is unknown. */
  readonly sha256: string | null
}

/**
 * Returns the bytes of `source`. The last chunk is held back until the length and hash match, so a reader never
 * mistakes a wrong or truncated body for a complete one. Fails with ObjectCorrupt on a mismatch, and with
 * ObjectStoreUnavailable if the source is interrupted or delivers nothing for `stallMs` while being read. Destroying it
 * destroys the source.
 */
export function verifiedBody(source: Readable, expected: Expected, stallMs: number): Readable {
  return new VerifiedBody(source, expected, stallMs)
}

class VerifiedBody extends Readable {
  readonly #source: Readable
  readonly #expected: Expected
  readonly #hash = createHash('sha256')
  readonly #stall: NodeJS.Timeout
  #received = 0
  #held: Buffer | null = null
  #isReading = false

  constructor(source: Readable, expected: Expected, stallMs: number) {
    super({ highWaterMark: 64 * 1024 })
    this.#source = source
    this.#expected = expected
    this.#stall = setTimeout(() => this.#checkStall(), stallMs).unref()
    source.on('data', (chunk: Buffer) => this.#take(chunk))
    source.once('end', () => this.#finish())
    source.on('error', (cause) => this.destroy(new ObjectStoreUnavailable('object body interrupted', { cause })))
    source.once('close', () => {
      if (!source.readableEnded) this.destroy(new ObjectStoreUnavailable('object body interrupted'))
    })
    source.pause()
  }

  override _read(): void {
    this.#isReading = true
    this.#stall.refresh()
    this.#source.resume()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    clearTimeout(this.#stall)
    this.#source.destroy()
    callback(error)
  }

  #take(chunk: Buffer): void {
    this.#stall.refresh()
    this.#received += chunk.length
    if (this.#received > this.#expected.bytes) {
      this.destroy(new ObjectCorrupt(`received more than the expected ${this.#expected.bytes} bytes`))
      return
    }
    if (this.#expected.sha256 !== null) this.#hash.update(chunk)
    const ready = this.#held
    this.#held = chunk
    if (ready === null || this.push(ready)) return
    this.#isReading = false
    this.#source.pause()
  }

  #finish(): void {
    const { bytes, sha256 } = this.#expected
    if (this.#received !== bytes) {
      this.destroy(new ObjectCorrupt(`received ${this.#received} of the expected ${bytes} bytes`))
    } else if (sha256 !== null && this.#hash.digest('hex') !== sha256) {
      this.destroy(new ObjectCorrupt(`hash mismatch: expected ${sha256}`))
    } else {
      clearTimeout(this.#stall)
      if (this.#held !== null) this.push(this.#held)
      this.push(null)
    }
  }

  #checkStall(): void {
    // A slow reader is not a stalled source.
    if (!this.#isReading) this.#stall.refresh()
    else this.destroy(new ObjectStoreUnavailable('object body stalled'))
  }
}
