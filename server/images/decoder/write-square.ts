import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { squarePath } from './decoder.ts'
import type { DecodedSource } from './source.ts'

/** Pixels of each side: pages show 96 at most, on screens with two or three for each. */
const SIDE = 256

/** Writes the middle of the picture, or of the first frame of an animation, as a square WebP without metadata. */
export async function writeSquare({ picture }: DecodedSource, folder: string): Promise<void> {
  const { data, info } = picture
  const square = sharp(data, { raw: info }).resize(SIDE, SIDE, { fit: 'cover', position: 'centre' })
  await writeFile(squarePath(folder), await square.webp({ quality: 82, effort: 4 }).toBuffer())
}
