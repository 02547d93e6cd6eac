import type { IncomingMessage } from 'node:http'
import { BadRequest } from './bad-request.ts'

/** Bytes of a request that are read before a file of it is let in, and behind one: fields, and the beginning of a file. */
export const UNASKED = 256 * 1024
/** The same of one whose token is in no header: some 48 kB of fields, for what comes with the file's beginning is as much. */
const UNASKED_OF_NOBODY = 128 * 1024

/** How much of a request may be read, which grows when a file of it is let in. */
export class Allowance {
  /** Bytes that were read. */
  read = 0
  #most = UNASKED
  /** Bytes of all of it. */
  #whole = UNASKED

  /** Bytes of which more must not be read. */
  get most(): number {
    return this.#most
  }

  /** Nobody is known to send it. */
  lower(): void {
    this.#whole = UNASKED_OF_NOBODY
    this.#most = this.#whole
  }

  /** The rest may come, up to so many bytes in all. */
  raise(bytes: number): void {
    this.#whole = Math.max(this.#whole, bytes)
    this.#most = this.#whole
  }

  /** So many bytes more may come, at most, until a file is let in again. */
  hold(bytes: number): void {
    this.#most = Math.min(this.#whole, this.read + bytes)
  }
}

/** A request's body as it comes; whoever stops reading leaves the rest. Throws BadRequest beyond the allowance, and when the
 *  client leaves. */
export async function* readBody(req: IncomingMessage, allowance: Allowance): AsyncGenerator<Buffer> {
  for await (const bytes of chunksOf(req)) {
    allowance.read += bytes.length
    if (allowance.read > allowance.most) throw new BadRequest('request-too-large')
    yield bytes
  }
}

async function* chunksOf(req: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) yield chunk
  } catch {
    throw new BadRequest('incomplete')
  }
}
