import type { IncomingMessage } from 'node:http'
import { BadRequest } from './bad-request.ts'

/** Bytes of a request that are read before any of its files was let in: fields, and the beginning of a file. */
const UNASKED = 256 * 1024

/** How much of a request may be read, which grows when a file of it is let in. */
export class Allowance {
  bytes = UNASKED

  /** The rest may come, up to so many bytes in all. */
  raise(bytes: number): void {
    this.bytes = Math.max(this.bytes, bytes)
  }
}

/** A request's body as it comes; whoever stops reading leaves the rest. Throws BadRequest beyond the allowance, and when the
 *  client leaves. */
export async function* readBody(req: IncomingMessage, allowance: Allowance): AsyncGenerator<Buffer> {
  let read = 0
  for await (const bytes of chunksOf(req)) {
    read += bytes.length
    if (read > allowance.bytes) throw new BadRequest('request-too-large')
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
