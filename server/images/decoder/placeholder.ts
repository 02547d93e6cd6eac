import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import type { Pixels } from './source.ts'

/** The side of the square that ThumbHash takes pictures in. */
const SIDE = 100

/** ThumbHash of a picture in base64 (Evan Wallace, 2023): some 25 bytes that a page shows until the picture is there. */
export async function placeholderOf({ data, info }: Pixels): Promise<string> {
  const small = await sharp(data, { raw: info })
    .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(small.info.width, small.info.height, small.data)).toString('base64')
}
