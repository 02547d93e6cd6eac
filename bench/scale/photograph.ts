import sharp from 'sharp'
import { landscape } from '#testing/images/landscape.ts'

const SIZE = { width: 1_600, height: 1_200 }

const made = landscape(1, SIZE).then((pixels) => sharp(pixels).jpeg({ quality: 85 }).toBuffer())

/** A made-up photograph as a JPEG. */
export const photograph = (): Promise<Buffer> => made
