import type { Cleaned, Cleaning } from '../cleaning.ts'
import { cleanAv1 } from './av1.ts'
import { writePicture } from './avif-writer.ts'
import { type Coding, readPictures } from './contained-picture.ts'
import { BoxRefusal } from './iso-boxes.ts'

/** Rewrites an AVIF's container (ISO/IEC 23008-12, AV1 Image File Format 1.2) with only the primary picture. Its AV1
 *  data is unchanged except for padding and metadata. HEIF rotates by properties and not by EXIF, so these stay, and
 *  the header has the displayed size. Sequences are not supported. */
export function cleanAvif(bytes: Buffer): Cleaning {
  try {
    return clean(bytes)
  } catch (error) {
    if (error instanceof BoxRefusal) return { outcome: error.reason }
    throw error
  }
}

const av1: Coding = {
  type: 'av01',
  foreignBrand: 'avis',
  read: (data) => {
    const coded = cleanAv1(data)
    if (coded.pixels === 0) throw new BoxRefusal('undecodable')
    return coded
  },
}

function clean(bytes: Buffer): Cleaned {
  const { pictures, seen, removed, exif } = readPictures(bytes, av1)
  return {
    outcome: 'clean',
    parts: writePicture(pictures, 'avif'),
    header: { ...seen, frames: 1, orientation: 1 },
    removed,
    exif,
  }
}
