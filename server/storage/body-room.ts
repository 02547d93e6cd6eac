import { Readable } from 'node:stream'
import type { Meter, Reservation } from './meter.ts'

/** Bytes of an outgoing body that are written to the socket at a time. */
const SLICE = 64 * 1024

/** Milliseconds a response that was refused for lack of budget may keep arriving, and using up its reservation. */
const DRAIN_MS = 2_000

/** A meter reservation for one body. The payer is whoever is current when it is made, not when the bytes move. */
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

  /** Returns a stream of `bytes` that is read no faster than the socket accepts them; each slice counts as it is
   *  read. */
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

  /** Counts the bytes of an incoming body as they arrive, read or not, and releases the unused rest of the reservation
   *  when the body closes. When `declared` exceeds what was reserved, reserves the difference first. If the meter
   *  rejects that, so does this, and no more than the original reservation is received. */
  async take(body: Readable, declared: number, meter: Meter): Promise<void> {
    this.#moved(body.readableLength)
    // Every incoming byte goes through push(). A 'data' listener would start the flow; a stream in between would copy.
    const push = body.push.bind(body)
    body.push = (chunk, encoding) => {
      if (chunk !== null) this.#moved(chunk.length)
      return push(chunk, encoding)
    }
    try {
      if (declared > this.#size) this.#rest = await meter.reserve('out', declared - this.#size)
    } catch (error) {
      if (!body.destroyed) this.#drainReserved(body)
      throw error
    }
    // The 'close' event has already fired, so nothing else would report it.
    if (body.destroyed) throw Object.assign(new Error('body interrupted'), { code: 'ECONNRESET' })
    this.#endOnClose(body)
  }

  /** Receives and counts what is already in transit, so that a response that is requested again and again without
   *  budget uses up its reservation. */
  #drainReserved(body: Readable): void {
    this.#endOnClose(body)
    const patience = setTimeout(() => body.destroy(), DRAIN_MS).unref()
    body
      .on('error', () => undefined)
      .on('data', () => this.#left === 0 && body.destroy())
      .once('close', () => clearTimeout(patience))
  }

  #endOnClose(body: Readable): void {
    this.#isTaken = true
    body.once('close', () => this.#end())
  }

  /** Releases what was not transferred, unless an incoming body is still being received. */
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
