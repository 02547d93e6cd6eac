import { constants, deflateSync, inflateRawSync } from 'node:zlib'
import { MAX_PROFILE } from '../caps.ts'
import type { CleaningRefusal, Orientation, Removed } from '../cleaning.ts'
import { cleanProfile } from '../icc.ts'
import { readOrientation } from '../orientation.ts'
import type { PngChunk } from './png-chunks.ts'
import type { PngHeader } from './png-header.ts'

/** Lengths of the chunks that are kept unchanged. All of them must precede the palette. */
const beforePalette = new Map([
  ['gAMA', 4],
  ['cHRM', 32],
  ['sRGB', 1],
  ['cICP', 4],
  ['mDCV', 24],
  ['cLLI', 8],
])

/** Lengths of sBIT by colour type. */
const significantBits = new Map([
  [0, 1],
  [2, 3],
  [3, 3],
  [4, 2],
  [6, 4],
])

/** The context of a chunk; decoders ignore one that is out of place, duplicated or of the wrong length. */
export interface Surroundings {
  readonly header: PngHeader
  /** Palette entries; null before the palette, or without one. */
  readonly colours: number | null
  readonly afterPalette: boolean
  readonly afterData: boolean
}

/** Whether decoders use this chunk. Not for critical chunks, or those of animations, EXIF or profiles. */
export function isKept({ type, data }: PngChunk, { header, colours, afterPalette, afterData }: Surroundings): boolean {
  if (afterData) return false
  if (type === 'pHYs') return data.length === 9
  if (type === 'tRNS') return isTransparency(data.length, header.colourType, colours)
  const length = type === 'sBIT' ? significantBits.get(header.colourType) : beforePalette.get(type)
  return !afterPalette && data.length === length
}

function isTransparency(length: number, colourType: number, colours: number | null): boolean {
  if (colourType === 3) return colours !== null && length > 0 && length <= colours
  return (colourType === 0 && length === 2) || (colourType === 2 && length === 6)
}

/** Returns the kind of data that is lost with this chunk. Text is classified by its keyword alone; nothing is
 *  decompressed. */
export function removedChunkKind({ type, data }: PngChunk): Removed {
  if (type === 'eXIf') return 'exif'
  if (type === 'iCCP') return 'profile-tags'
  if (type !== 'tEXt' && type !== 'zTXt' && type !== 'iTXt') return 'other'
  const end = data.subarray(0, 80).indexOf(0)
  const keyword = data.toString('latin1', 0, Math.max(0, end))
  if (keyword === 'XML:com.adobe.xmp' || keyword === 'Raw profile type xmp') return 'xmp'
  if (keyword === 'Raw profile type exif' || keyword === 'Raw profile type APP1') return 'exif'
  return keyword === 'Raw profile type iptc' ? 'iptc' : 'text'
}

/** Returns the orientation in an eXIf chunk; its block must begin with the byte order, or decoders ignore it. */
export const readExifOrientation = ({ data }: PngChunk): Orientation =>
  /^(II|MM)/.test(data.toString('latin1', 0, 2)) ? readOrientation(data) : 1

const PROFILE_NAME = Buffer.from('icc\0\0', 'latin1')

/** Returns the contents of a cleaned iCCP chunk; null when it is not a valid profile. */
export function cleanIccp({ data }: PngChunk): { data: Buffer | null; removed: boolean } | CleaningRefusal {
  const profile = unpackProfile(data)
  if (profile === 'too-much-metadata') return profile
  // libpng does not accept a truncated profile.
  const whole = profile && profile.length >= 132 && profile.readUInt32BE(0) <= profile.length
  const cleaned = whole ? cleanProfile(profile).profile : null
  if (!cleaned) return { data: null, removed: true }
  return {
    data: Buffer.concat([PROFILE_NAME, deflateSync(cleaned, { level: 9 })]),
    removed: !cleaned.equals(profile ?? cleaned),
  }
}

const ZLIB_HEADER_BYTES = 2

/** Decompresses the profile after a name of 1 to 79 characters and the compression method, 0. Ignores the zlib
 *  checksum, as libpng does, which stops at the profile's own length. */
function unpackProfile(data: Buffer): Buffer | null | 'too-much-metadata' {
  const nameEnd = data.subarray(0, 80).indexOf(0)
  const stream = data.subarray(nameEnd + 2)
  if (nameEnd < 1 || data[nameEnd + 1] !== 0 || stream.length < ZLIB_HEADER_BYTES) return null
  const [method = 0, flags = 0] = stream
  const isZlib = (method & 15) === 8 && stream.readUInt16BE(0) % 31 === 0 && (flags & 32) === 0
  if (!isZlib) return null
  try {
    return inflateRawSync(stream.subarray(ZLIB_HEADER_BYTES), { maxOutputLength: MAX_PROFILE, finishFlush })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code === 'ERR_BUFFER_TOO_LARGE') return 'too-much-metadata'
    if (typeof error.code === 'string' && error.code.startsWith('Z_')) return null
    throw error
  }
}

/** Accepts a truncated stream as far as it goes. */
const finishFlush = constants.Z_SYNC_FLUSH
