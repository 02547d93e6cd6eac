import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import type { Pixels } from './source.ts'

/** Pixels of the square that the picture is scaled down to. ThumbHash keeps seven waves a side at most, and takes up to 100
 *  pixels, in four times the time. */
const SIDE = 50

/** Returns the ThumbHash of a picture in base64 (Evan Wallace, 2023): about 25 bytes that a page shows while the
 *  picture loads. */
export async function createPlaceholder({ data, info }: Pixels): Promise<string> {
  const small = await sharp(data, { raw: info })
    .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(small.info.width, small.info.height, small.data)).toString('base64')
}
