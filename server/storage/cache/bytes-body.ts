import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { rangeWithin } from '../byte-range.ts'
import { type ByteRange, ObjectCorrupt, ObjectStoreUnavailable, type OpenObject } from '../object-store.ts'

/** Opens an object whose bytes are in memory. Throws RangeError for a range outside of it. */
export function openBytes(bytes: Buffer, range: ByteRange | undefined): OpenObject {
  const { start, end } = rangeWithin(range, bytes.length)
  const part = bytes.subarray(start, end + 1)
  return { body: Readable.from(part.length > 0 ? [part] : [], { objectMode: false }), size: bytes.length }
}

/** Concatenates the chunks into memory of their own. */
export function concatenate(chunks: readonly Buffer[], size: number): Buffer {
  const [only] = chunks
  if (chunks.length === 1 && only?.buffer.byteLength === size) return only
  // Buffer.concat takes small buffers from a shared pool, and keeping one would keep the whole pool alive.
  const bytes = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const chunk of chunks) at += chunk.copy(bytes, at)
  return bytes
}

/** Opens an object whose body fails at once, as a large object's would fail part-way. */
export function openFailing(error: Error, size: number): OpenObject {
  const body = new Readable({
    read() {
      this.destroy(error)
    },
  })
  return { body, size }
}

/**
 * Yields the chunks of a body as they arrive, but the last one only if the hash of all is `sha256` (hex). Throws
 * ObjectCorrupt for a wrong hash or length, and ObjectStoreUnavailable for an interrupted body.
 */
export async function* verifiedChunks(body: Readable, size: number, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let received = 0
  let last: Buffer | null = null
  try {
    for await (const chunk of body) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('chunk is not a Buffer')
      received += chunk.length
      if (received > size) throw new ObjectCorrupt(`received more than the expected ${size} bytes`)
      hash.update(chunk)
      if (received < size) yield chunk
      else if (chunk.length > 0) last = chunk
    }
  } catch (error) {
    throw isInterruption(error) ? new ObjectStoreUnavailable('object body interrupted', { cause: error }) : error
  }
  if (received !== size) throw new ObjectCorrupt(`received ${received} of the expected ${size} bytes`)
  if (hash.digest('hex') !== sha256) throw new ObjectCorrupt(`hash mismatch: expected ${sha256}`)
  if (last) yield last
}

const isInterruption = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
