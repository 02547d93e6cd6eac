import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { ObjectCorrupt, StoreUnavailable } from './object-store.ts'

/** What a body must be. */
export interface Expected {
  readonly bytes: number
  /** In hex; null when a part of an object is read, whose hash nobody knows. */
  readonly sha256: string | null
}

/**
 * The bytes of `source`, which ends well only when they are what is expected: the last chunk is held back until then, so
 * that no reader takes a wrong or short body for a complete one. Fails with ObjectCorrupt, and with StoreUnavailable when
 * the source breaks, or gives nothing for `stallMs` while it is asked. Destroying it destroys the source.
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
  #isAsked = false

  constructor(source: Readable, expected: Expected, stallMs: number) {
    super({ highWaterMark: 64 * 1024 })
    this.#source = source
    this.#expected = expected
    this.#stall = setTimeout(() => this.#checkStall(), stallMs).unref()
    source.on('data', (chunk: Buffer) => this.#take(chunk))
    source.once('end', () => this.#finish())
    source.on('error', (cause) => this.destroy(new StoreUnavailable('The object broke off', { cause })))
    source.once('close', () => {
      if (!source.readableEnded) this.destroy(new StoreUnavailable('The object broke off'))
    })
    source.pause()
  }

  override _read(): void {
    this.#isAsked = true
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
      this.destroy(new ObjectCorrupt(`More than the ${this.#expected.bytes} bytes that were to come`))
      return
    }
    if (this.#expected.sha256 !== null) this.#hash.update(chunk)
    const ready = this.#held
    this.#held = chunk
    if (ready === null || this.push(ready)) return
    this.#isAsked = false
    this.#source.pause()
  }

  #finish(): void {
    const { bytes, sha256 } = this.#expected
    if (this.#received !== bytes) {
      this.destroy(new ObjectCorrupt(`${this.#received} of the ${bytes} bytes that were to come`))
    } else if (sha256 !== null && this.#hash.digest('hex') !== sha256) {
      this.destroy(new ObjectCorrupt(`Not the bytes of ${sha256}`))
    } else {
      clearTimeout(this.#stall)
      if (this.#held !== null) this.push(this.#held)
      this.push(null)
    }
  }

  #checkStall(): void {
    // A reader that takes its time is no fault of the source.
    if (!this.#isAsked) this.#stall.refresh()
    else this.destroy(new StoreUnavailable('The object stalled'))
  }
}
