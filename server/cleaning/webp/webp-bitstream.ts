import type { Chunk } from './riff-chunks.ts'

/** A still picture: its bitstream, and before it the alpha channel of a lossy one. */
export interface Bitstream {
  readonly chunks: readonly Chunk[]
  readonly width: number
  readonly height: number
}

/**
 * The one picture among chunks, with what its bitstream says of its size; null when there is none, or not just one, or
 * when something stands between its two chunks, which libwebp does not take.
 */
export function findBitstream(chunks: readonly Chunk[]): Bitstream | null {
  const kept = chunks.filter(({ type }) => type === 'ALPH' || type === 'VP8 ' || type === 'VP8L')
  const image = kept.at(-1)
  if (!image) return null
  const expected = image.type === 'VP8 ' && kept.length === 2 && kept[0]?.type === 'ALPH' ? 2 : 1
  const size = sizeOf(image)
  // libwebp reads on in the byte that pads a bitstream, which therefore must be the zero that is written.
  const isPadded = kept.every(({ padding = 0 }) => padding === 0)
  const isOne = kept.length === expected && chunks[chunks.indexOf(kept[0] ?? image) + expected - 1] === image
  return size && isPadded && isOne ? { chunks: kept, ...size } : null
}

interface Size {
  readonly width: number
  readonly height: number
}

function sizeOf({ type, data }: Chunk): Size | null {
  if (type === 'VP8 ') return lossySize(data)
  return type === 'VP8L' ? losslessSize(data) : null
}

/** RFC 6386, section 9.1: a key frame, whose sizes of 14 bits have two more above that ask for scaling and that nobody heeds. */
function lossySize(data: Buffer): Size | null {
  if (data.length < 10) return null
  const isKeyFrame = (data.readUInt8(0) & 1) === 0 && data.readUIntBE(3, 3) === 0x9d012a
  return isKeyFrame ? valid({ width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }) : null
}

/** RFC 9649, section 3.4: a signature, both sizes less one in 14 bits each, a hint of alpha, and version 0 in three. */
function losslessSize(data: Buffer): Size | null {
  if (data.length < 5 || data[0] !== 0x2f) return null
  const bits = data.readUInt32LE(1)
  return bits >>> 29 === 0 ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } : null
}

const valid = (size: Size): Size | null => (size.width > 0 && size.height > 0 ? size : null)
