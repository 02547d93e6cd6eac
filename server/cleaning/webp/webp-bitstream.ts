import type { RiffChunk } from './riff-chunks.ts'

/** A still picture: its bitstream, preceded by an alpha channel if it is lossy and has one. */
export interface Bitstream {
  readonly chunks: readonly RiffChunk[]
  readonly width: number
  readonly height: number
}

/** Finds the only picture among chunks, with its size from the bitstream. Null when there is none or more than one, or
 *  when anything lies between its two chunks, which libwebp does not accept. */
export function findBitstream(chunks: readonly RiffChunk[]): Bitstream | null {
  const kept = chunks.filter(({ type }) => type === 'ALPH' || type === 'VP8 ' || type === 'VP8L')
  const image = kept.at(-1)
  if (!image) return null
  const expected = image.type === 'VP8 ' && kept.length === 2 && kept[0]?.type === 'ALPH' ? 2 : 1
  const size = readSize(image)
  // libwebp reads on into the padding byte of a bitstream, so it must be the zero that is written.
  const isPadded = kept.every(({ padding = 0 }) => padding === 0)
  const isOne = kept.length === expected && chunks[chunks.indexOf(kept[0] ?? image) + expected - 1] === image
  return size && isPadded && isOne ? { chunks: kept, ...size } : null
}

interface Size {
  readonly width: number
  readonly height: number
}

function readSize({ type, data }: RiffChunk): Size | null {
  if (type === 'VP8 ') return lossySize(data)
  return type === 'VP8L' ? losslessSize(data) : null
}

/** RFC 6386, section 9.1: a key frame with 14-bit sizes. The two bits above request scaling, which no decoder does. */
function lossySize(data: Buffer): Size | null {
  if (data.length < 10) return null
  const isKeyFrame = (data.readUInt8(0) & 1) === 0 && data.readUIntBE(3, 3) === 0x9d012a
  return isKeyFrame ? valid({ width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }) : null
}

/** RFC 9649, section 3.4: a signature, both sizes minus one in 14 bits each, an alpha hint, and version 0 in three
 *  bits. */
function losslessSize(data: Buffer): Size | null {
  if (data.length < 5 || data[0] !== 0x2f) return null
  const bits = data.readUInt32LE(1)
  return bits >>> 29 === 0 ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } : null
}

const valid = (size: Size): Size | null => (size.width > 0 && size.height > 0 ? size : null)
