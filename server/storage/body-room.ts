import { Readable } from 'node:stream'
import type { Meter, Reservation } from './meter.ts'

/** Bytes of a body that are written to the socket at a time. */
const SLICE = 64 * 1024

/** Milliseconds for which a refused body may still use up its reservation. */
const LEAVE_MS = 2_000

/** The reservation for one body, on the account of whoever pays when it is made, whoever transfers the bytes later. */
export class BodyRoom implements Disposable {
  readonly #first: Reservation
  readonly #size: number
  /** Bytes left of the first reservation. */
  #left: number
  #rest: Reservation | null = null
  #isTaken = false

  private constructor(first: Reservation, size: number) {
    this.#first = first
    this.#size = size
    this.#left = size
  }

  static async reserve(meter: Meter, direction: 'in' | 'out', bytes: number): Promise<BodyRoom> {
    return new BodyRoom(await meter.reserve(direction, bytes), bytes)
  }

  /** A stream of the bytes to send, read no faster than the socket takes them; what is read counts as transferred. */
  give(bytes: Uint8Array): Readable {
    const moved = (count: number) => this.#moved(count)
    let at = 0
    return new Readable({
      highWaterMark: 1,
      read() {
        const slice = bytes.subarray(at, at + SLICE)
        at += slice.length
        moved(slice.length)
        this.push(slice.length > 0 ? slice : null)
      },
    })
  }

  /** Counts the bytes of an incoming body, whether or not anybody reads them, and gives back the rest of the
   *  reservation when it closes. When more is `declared` than was reserved, the rest is reserved now: rejects as the
   *  meter does, and then no more is received than is reserved. */
  async take(body: Readable, declared: number, meter: Meter): Promise<void> {
    this.#moved(body.readableLength)
    // All that comes into a stream is pushed. A listener would set it flowing; a stream in between would cost a copy.
    const push = body.push.bind(body)
    body.push = (chunk, encoding) => {
      if (chunk !== null) this.#moved(chunk.length)
      return push(chunk, encoding)
    }
    try {
      if (declared > this.#size) this.#rest = await meter.reserve('out', declared - this.#size)
    } catch (error) {
      if (!body.destroyed) this.#leave(body)
      throw error
    }
    // Nobody would hear any more that it has closed.
    if (body.destroyed) throw Object.assign(new Error('The body broke off'), { code: 'ECONNRESET' })
    this.#endWith(body)
  }

  /** Receives and counts what is already on its way, so that an answer which is refused again and again uses up its
   *  reservation. */
  #leave(body: Readable): void {
    this.#endWith(body)
    const patience = setTimeout(() => body.destroy(), LEAVE_MS).unref()
    body
      .on('error', () => undefined)
      .on('data', () => this.#left === 0 && body.destroy())
      .once('close', () => clearTimeout(patience))
  }

  #endWith(body: Readable): void {
    this.#isTaken = true
    body.once('close', () => this.#end())
  }

  /** Gives back what was not transferred, unless an incoming body is still on its way. */
  [Symbol.dispose](): void {
    if (!this.#isTaken) this.#end()
  }

  #end(): void {
    this.#first.end()
    this.#rest?.end()
  }

  #moved(bytes: number): void {
    const inFirst = this.#rest ? Math.min(bytes, this.#left) : bytes
    this.#left = Math.max(0, this.#left - inFirst)
    if (inFirst > 0) this.#first.moved(inFirst)
    if (bytes > inFirst) this.#rest?.moved(bytes - inFirst)
  }
}
