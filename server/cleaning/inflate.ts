import { createInflate } from 'node:zlib'

/** Bytes passed to zlib at a time; each call costs a round trip to another thread. */
const BLOCK_BYTES = 64 * 1024

/** Decompresses a zlib stream that is spread over `parts`, discarding the output, and returns how many of their bytes
 *  it occupies. Null when it is damaged, does not end within them, does not decompress to exactly `size` bytes, or
 *  `accepts` rejects a piece. */
export async function packedLength(
  parts: Iterable<Buffer>,
  size: number,
  accepts: (piece: Buffer) => boolean,
): Promise<number | null> {
  const inflate = createInflate({ chunkSize: BLOCK_BYTES })
  let unpacked = 0
  const feeding = feed(inflate, parts)
  try {
    for await (const piece of inflate) {
      unpacked += piece.length
      if (unpacked > size || !accepts(piece)) return null
    }
  } catch (error) {
    if (isDataError(error)) return null
    throw error
  } finally {
    inflate.destroy()
    await feeding
  }
  return unpacked === size ? inflate.bytesWritten : null
}

const isDataError = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')

/** Stops when the stream has closed, which it does at its end: bytes after the end are not consumed. */
async function feed(inflate: ReturnType<typeof createInflate>, parts: Iterable<Buffer>): Promise<void> {
  const closed = new Promise<void>((resolve) => inflate.once('close', resolve))
  for (const block of rechunk(parts)) {
    if (inflate.destroyed) return
    if (!inflate.write(block)) {
      await Promise.race([closed, new Promise<void>((resolve) => inflate.once('drain', resolve))])
    }
  }
  if (!inflate.destroyed) inflate.end()
}

/** Yields the same bytes in blocks of one size. */
function* rechunk(parts: Iterable<Buffer>): Generator<Buffer> {
  let block = Buffer.allocUnsafe(BLOCK_BYTES)
  let filled = 0
  for (const part of parts) {
    for (let at = 0; at < part.length; ) {
      const copied = part.copy(block, filled, at)
      filled += copied
      at += copied
      if (filled < BLOCK_BYTES) continue
      yield block
      block = Buffer.allocUnsafe(BLOCK_BYTES)
      filled = 0
    }
  }
  if (filled > 0) yield block.subarray(0, filled)
}
