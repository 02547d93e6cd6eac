import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { PAYLOAD } from './bad-files.ts'

/**
 * Returns what is wrong with an upload's stored bytes; null if they are the same picture and nothing else. An upload that could
 * not be decoded because of its metadata may have become a valid picture.
 */
export async function problemOfStored(upload: Buffer, stored: Buffer): Promise<string | null> {
  if (stored.includes(PAYLOAD)) return 'has the planted payload'
  const clean = await readPicture(stored, 'warning')
  if (clean === null) return 'does not decode without a warning'
  const original = await readPicture(asBrowsersRead(upload), 'none')
  if (original === null || original === clean) return null
  return `was ${original} and is ${clean}`
}

/** Returns the bytes with a zero for padding after the name of a JPEG's EXIF: whatever stands there, browsers read the orientation
 *  behind it and cleaning keeps it, but libvips does not. */
function asBrowsersRead(bytes: Buffer): Buffer {
  const name = bytes.indexOf('Exif\0', 0, 'latin1')
  const isSegment = name >= 4 && bytes.readUInt16BE(0) === 0xffd8 && bytes.readUInt16BE(name - 4) === 0xffe1
  if (!isSegment) return bytes
  const padded = Buffer.from(bytes)
  padded[name + 5] = 0
  return padded
}

/** Size, frames, timing, orientation and a digest of all pixels as coded; null if the file cannot be decoded. */
async function readPicture(bytes: Buffer, failOn: 'none' | 'warning'): Promise<string | null> {
  // A HEIF file shows its primary picture.
  const animated = bytes.toString('latin1', 4, 8) !== 'ftyp'
  try {
    const image = sharp(bytes, { failOn, animated, limitInputPixels: 300_000_000 })
    const { width, height, pages = 1, delay, loop, orientation = 1 } = await image.metadata()
    // Profiles are kept but not applied, because the colours of a damaged profile are undefined.
    const pixels = await image.keepIccProfile().raw({ depth: 'ushort' }).toBuffer()
    const digest = createHash('sha256').update(pixels).digest('hex').slice(0, 8)
    return JSON.stringify({ width, height, ...(animated && { pages, delay, loop }), orientation, digest })
  } catch {
    return null
  }
}
