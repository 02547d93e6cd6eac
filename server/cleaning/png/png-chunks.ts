import { crc32 } from 'node:zlib'

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** A chunk in a file (PNG 3rd edition, 5.3). */
export interface PngChunk {
  readonly type: string
  readonly data: Buffer
  /** All of it: length, type, data and checksum. */
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}

/** Returns the chunk at `start`; null when it exceeds the bytes. Does not verify its checksum. */
export function chunkAt(bytes: Buffer, start: number): PngChunk | null {
  if (start + 12 > bytes.length) return null
  const end = start + 12 + bytes.readUInt32BE(start)
  if (end > bytes.length) return null
  const type = bytes.toString('latin1', start + 4, start + 8)
  return { type, data: bytes.subarray(start + 8, end - 4), bytes: bytes.subarray(start, end), start, end }
}

export const isIntact = ({ type, bytes }: PngChunk) =>
  /^[A-Za-z]{4}$/.test(type) && crc32(bytes.subarray(4, -4)) === bytes.readUInt32BE(bytes.length - 4)

/** Yields the chunks of one type between two offsets of a file that has been checked before. */
export function* findChunks(bytes: Buffer, type: string, start: number, end: number): Generator<PngChunk> {
  for (let chunk = chunkAt(bytes, start); chunk && chunk.end <= end; chunk = chunkAt(bytes, chunk.end)) {
    if (chunk.type === type) yield chunk
  }
}

/** Returns the parts of a chunk whose data is given in parts, without copying these. */
export function chunkParts(type: string, ...data: readonly Buffer[]): Buffer[] {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.reduce((sum, part) => sum + part.length, 0))
  head.write(type, 4, 'latin1')
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(data.reduce((sum, part) => crc32(part, sum), crc32(head.subarray(4))))
  return [head, ...data, checksum]
}
