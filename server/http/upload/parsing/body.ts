import type { IncomingMessage } from 'node:http'
import { BadRequest } from './bad-request.ts'

/**
 * Bytes of a request that may be read before one of its files is accepted, and after a file: fields, and the beginning
 * of the next file.
 */
export const MAX_UNCHARGED = 256 * 1024
/** The same for a request whose token is in no header. About 48 kB of it can be fields, because the rest arrives together with
 *  the beginning of the file. */
const MAX_UNIDENTIFIED = 128 * 1024

/** Bounds how many bytes of a request may be read. Grows when one of its files is accepted. */
export class Allowance {
  /** Bytes read so far, and before the newest of its chunks. */
  read = 0
  readBefore = 0
  #most = MAX_UNCHARGED
  /** The upper bound for the whole request. */
  #whole = MAX_UNCHARGED

  /** The number of bytes beyond which reading fails. */
  get most(): number {
    return this.#most
  }

  /** Lowers the bound for a request whose sender is not known yet. */
  lower(): void {
    this.#whole = MAX_UNIDENTIFIED
    this.#most = this.#whole
  }

  /** Allows the whole request, up to this many bytes in total. */
  raise(bytes: number): void {
    this.#whole = Math.max(this.#whole, bytes)
    this.#most = this.#whole
  }

  /** Allows at most this many further bytes until the next file is accepted. */
  hold(bytes: number): void {
    this.#most = Math.min(this.#whole, this.read + bytes)
  }
}

/** Reads a request's body. A reader that stops leaves the rest unread. Throws BadRequest beyond the allowance, and when the
 *  client disconnects. */
export async function* readBody(req: IncomingMessage, allowance: Allowance): AsyncGenerator<Buffer> {
  for await (const bytes of readChunks(req)) {
    allowance.readBefore = allowance.read
    allowance.read += bytes.length
    if (allowance.read > allowance.most) throw new BadRequest('request-too-large')
    yield bytes
  }
}

async function* readChunks(req: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) yield chunk
  } catch {
    throw new BadRequest('incomplete')
  }
}
