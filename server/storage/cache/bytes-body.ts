import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { rangeWithin } from '../byte-range.ts'
import { type ByteRange, ObjectCorrupt, type OpenObject, StoreUnavailable } from '../object-store.ts'

/** Of an object that is at hand. Throws RangeError for a range that does not lie within it. */
export function openBytes(bytes: Buffer, range: ByteRange | undefined): OpenObject {
  const { start, end } = rangeWithin(range, bytes.length)
  const part = bytes.subarray(start, end + 1)
  return { body: Readable.from(part.length > 0 ? [part] : [], { objectMode: false }), size: bytes.length }
}

/** The bytes of all chunks, in memory that holds nothing else. */
export function joined(chunks: readonly Buffer[], size: number): Buffer {
  const [only] = chunks
  if (chunks.length === 1 && only?.buffer.byteLength === size) return only
  // Buffer.concat would take it from a pool, all of which is kept as long as any part of it.
  const bytes = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const chunk of chunks) at += chunk.copy(bytes, at)
  return bytes
}

/** Of an object that is opened well and then breaks, as a larger one does. */
export function openBroken(error: Error, size: number): OpenObject {
  const body = new Readable({
    read() {
      this.destroy(error)
    },
  })
  return { body, size }
}

/** The chunks of a body as they come; the one with the last byte only when all have the hash `sha256`, in hex. Throws
 *  ObjectCorrupt for other bytes or another number of them, and StoreUnavailable for a body that breaks off. */
export async function* verifiedChunks(body: Readable, size: number, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let received = 0
  let last: Buffer | null = null
  try {
    for await (const chunk of body) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('Not bytes')
      received += chunk.length
      if (received > size) throw new ObjectCorrupt(`More than the ${size} bytes that were to come`)
      hash.update(chunk)
      if (received < size) yield chunk
      else if (chunk.length > 0) last = chunk
    }
  } catch (error) {
    throw isBreak(error) ? new StoreUnavailable('The object broke off', { cause: error }) : error
  }
  if (received !== size) throw new ObjectCorrupt(`${received} of the ${size} bytes that were to come`)
  if (hash.digest('hex') !== sha256) throw new ObjectCorrupt(`Not the bytes of ${sha256}`)
  if (last) yield last
}

const isBreak = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
