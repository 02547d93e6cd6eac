import type { Orientation } from './cleaning.ts'

const ORIENTATION_TAG = 0x0112
const ENTRY_BYTES = 12
const SHORT = 3

/** Bytes of TIFF's integer types: BYTE, SHORT, LONG, SBYTE, SSHORT, SLONG. */
const wholeNumbers = new Map([
  [1, 1],
  [SHORT, 2],
  [4, 4],
  [6, 1],
  [8, 2],
  [9, 4],
])

/** An entry with more values is not an orientation; libvips takes it for text. */
const MAX_VALUES = 9

const orientations: readonly Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8]

/** Returns the orientation in IFD0 of a TIFF block, with or without the EXIF header; 1 when anything is wrong with it.
 *  Reads like libvips and libexif, except for the padding after the name, so that cleaning does not change how a file looks:
 *  the first matching tag of any integer type counts. */
export function readOrientation(block: Buffer): Orientation {
  const tiff = withoutExifName(block)
  const integer = integerReader(tiff)
  if (integer?.(2, 2) !== 42) return 1
  const ifd = integer(4, 4)
  const entries = integer(ifd, 2)
  for (let index = 0, at = ifd + 2; index < entries && at + ENTRY_BYTES <= tiff.length; index += 1, at += ENTRY_BYTES) {
    if (integer(at, 2) !== ORIENTATION_TAG) continue
    const value = orientationValue(integer, at)
    if (value !== undefined) return orientations.find((orientation) => orientation === value) ?? 1
  }
  return 1
}

const EXIF_NAME = 'Exif\0'

/** Precedes the TIFF block in a JPEG's APP1 segment: the name and a byte of padding, in which some cameras write something else. */
export const EXIF_HEADER = `${EXIF_NAME}\0`

/** Returns the TIFF block, which has that name before it in a JPEG and in some other files. */
export const withoutExifName = (block: Buffer): Buffer =>
  block.toString('latin1', 0, 5) === EXIF_NAME ? block.subarray(EXIF_HEADER.length) : block

/** Returns a TIFF block with only this tag. */
export function orientationTiff(orientation: Orientation): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex')
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}

/** Reads an unsigned integer of 1, 2 or 4 bytes in the block's byte order; 0 beyond the end of the block. */
export type IntegerReader = (at: number, length: number) => number

export function integerReader(tiff: Buffer): IntegerReader | null {
  const order = tiff.toString('latin1', 0, 2)
  const inside = (at: number, length: number) => at + length <= tiff.length
  if (order === 'II') return (at, length) => (inside(at, length) ? tiff.readUIntLE(at, length) : 0)
  if (order === 'MM') return (at, length) => (inside(at, length) ? tiff.readUIntBE(at, length) : 0)
  return null
}

/** Returns the entry's first value; undefined when libexif would not accept it. */
function orientationValue(integer: IntegerReader, entry: number): number | undefined {
  const length = wholeNumbers.get(integer(entry + 2, 2))
  const count = integer(entry + 4, 4)
  if (!length || count === 0 || count > MAX_VALUES) return undefined
  return integer(length * count <= 4 ? entry + 8 : integer(entry + 8, 4), length)
}
