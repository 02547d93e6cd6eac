import { crc32 } from 'node:zlib'
import type { Format } from './format.ts'

/**
 * Whether the container is whole up to its end mark. JPEG and WebP decoders see a missing end themselves; libpng stops
 * reading at the last pixel and the GIF decoder takes what it gets, so these two are walked: PNG by its chunks and
 * their checksums (PNG 3rd edition, 5.3), GIF by its blocks (GIF89a, appendix B).
 */
export function isComplete(format: Format, bytes: Buffer): boolean {
  if (format === 'png') return isCompletePng(bytes)
  if (format === 'gif') return isCompleteGif(bytes)
  return true
}

function isCompletePng(bytes: Buffer): boolean {
  let at = 8
  while (at + 12 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) return false
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return false
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return true
    at = end
  }
  return false
}

const GIF_EXTENSION = 0x21
const GIF_IMAGE = 0x2c
const GIF_TRAILER = 0x3b

function isCompleteGif(bytes: Buffer): boolean {
  let at: number | null = 13 + colourTableBytes(bytes[10])
  while (at !== null && at < bytes.length) {
    const block = bytes[at]
    if (block === GIF_TRAILER) return true
    if (block === GIF_EXTENSION) at = afterSubBlocks(bytes, at + 2)
    else if (block === GIF_IMAGE) at = afterSubBlocks(bytes, at + 11 + colourTableBytes(bytes[at + 9]))
    else return false
  }
  return false
}

/** A colour table has 2 to 256 entries of 3 bytes, if the flags say that there is one. */
const colourTableBytes = (flags = 0): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/** Where data sub-blocks that begin at `start` end, or null when they do not. */
function afterSubBlocks(bytes: Buffer, start: number): number | null {
  let at = start
  for (;;) {
    const size = bytes[at]
    if (size === undefined) return null
    at += 1 + size
    if (size === 0) return at
  }
}
