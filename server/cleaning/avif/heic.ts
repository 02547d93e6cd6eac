import type { CleaningRefusal, Removed } from '../cleaning.ts'
import { writePicture } from './avif-writer.ts'
import { type Picture, readPictures } from './contained-picture.ts'
import { hevc } from './hevc.ts'
import { BoxRefusal } from './iso-boxes.ts'

/** What a HEIC's headers tell of its primary picture. */
export interface HeicHeader {
  readonly outcome: 'read'
  /** As displayed. */
  readonly width: number
  readonly height: number
  readonly colour: HeicColour
  /** A HEIC of the picture alone. */
  readonly picture: Buffer
  readonly removed: readonly Removed[]
  readonly exif: Buffer | undefined
}

/** An ICC profile, or the code points of ITU-T H.273; null if the file says nothing. */
export type HeicColour = Buffer | { readonly primaries: number; readonly transfer: number } | null

/** Reads a HEIC's headers and checks them against the caps. A decoder needs to see nothing but the primary picture, its tiles and
 *  alpha planes. */
export function readHeic(bytes: Buffer): HeicHeader | { readonly outcome: CleaningRefusal } {
  try {
    const { pictures, seen, removed, exif } = readPictures(bytes, hevc)
    const picture = Buffer.concat(writePicture(pictures, 'heic'))
    return { outcome: 'read', ...seen, colour: readColour(pictures), picture, removed, exif }
  } catch (error) {
    if (error instanceof BoxRefusal) return { outcome: error.reason }
    throw error
  }
}

/** A profile takes precedence over code points (ISO/IEC 23008-12, 6.5.5). Some encoders describe a grid's colours by its tiles alone. */
function readColour(pictures: readonly Picture[]): HeicColour {
  const masters = pictures.filter(({ properties }) => !properties.isAlpha)
  const described = masters.map(({ properties: { kept } }) =>
    kept.filter(({ type }) => type === 'colr').map(({ box }) => box),
  )
  const boxes = described.find(({ length }) => length > 0) ?? []
  const profile = boxes.find((box) => box.toString('latin1', 8, 12) !== 'nclx')
  if (profile) return profile.subarray(12)
  const [codes] = boxes
  return codes ? { primaries: codes.readUInt16BE(12), transfer: codes.readUInt16BE(14) } : null
}
