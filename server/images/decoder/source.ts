import { readFile } from 'node:fs/promises'
import sharp, { type CreateRaw, type Metadata, type Sharp } from 'sharp'
import type { Format } from '#server/images/format.ts'
import {
  holdsWhole,
  type Size,
  sizeWithin,
  type VariantWidth,
  variantBox,
  variantWidths,
} from '#server/images/variant.ts'
import { type Moving, openApng } from './apng-frames.ts'
import { gammaTable, replaceSamples } from './png-gamma.ts'
import { in8Bits, strict } from './strict.ts'

/** Decoded pixels, in sRGB. */
export interface Pixels {
  readonly data: Buffer
  readonly info: CreateRaw
}

/** A clean file, fully decoded. */
export interface DecodedSource {
  /** As displayed: orientation applied; for an animation, the size of a frame. */
  readonly size: Size
  readonly frames: number
  /** The picture, or the first frame of an animation, in the size of the largest variant. */
  readonly picture: Pixels
  /** The same in the size of the smallest variant. */
  readonly smallest: Pixels
  /** The animation scaled to fit a box; null for a still picture, or if it has too many pixels to stay animated. */
  moving(box: Size): Promise<Moving | null>
}

/** A file for the decoder. */
export interface Decodable {
  readonly path: string
  /** Of all its frames. */
  readonly metadata: Metadata
  /** The first frame that counts. */
  readonly page: number
}

/** Pixels of all frames up to which a variant stays animated: about 2 s of work. */
const MAX_MOVING_PIXELS = 25_000_000

/** Decodes a clean file. Throws on damage. */
export async function openSource(
  { path, metadata, page }: Decodable,
  format: Format,
  frames: number,
): Promise<DecodedSource> {
  const isMoving = frames > 1
  const isTurned = (!isMoving && page === 0) || format === 'png'
  const size = isTurned ? metadata.autoOrient : frameSize(metadata)
  const png = format === 'png' ? await readFile(path) : null
  const gamma = png && gammaTable(png)
  const image = in8Bits(sharp(path, { ...strict, page }), metadata)
  const picture = await pixelsWithin(isTurned ? image.autoOrient() : image, 1600)
  if (gamma) replaceSamples(picture.data, picture.info.channels, gamma)
  const still = { picture, smallest: await stillFrom(picture, variantWidths[0]) }
  if (!isMoving) return { size, frames, ...still, moving: async () => null }
  const fits = (box: Size) => countPixels(sizeWithin(size, box)) * frames <= MAX_MOVING_PIXELS
  if (png) {
    const open = fits(size) ? await openApng(png, metadata, gamma) : null
    return { size, frames, ...still, moving: async (box) => (await open?.(box)) ?? null }
  }
  const options = { ...strict, page, pages: -1 }
  await decodeEveryFrame(sharp(path, options))
  const { delay, loop = 0 } = metadata
  const timing = page > 0 && delay ? { timing: { delay: delay.slice(page), loop } } : {}
  const moving = (box: Size) => ({ image: shrink(sharp(path, options), box), ...timing })
  return { size, frames, ...still, moving: async (box) => (fits(box) ? moving(box) : null) }
}

const frameSize = ({ width, height, pageHeight }: Metadata): Size => ({ width, height: pageHeight ?? height })

const countPixels = ({ width, height }: Size): number => width * height

export const shrink = (image: Sharp, box: Size): Sharp =>
  image.resize({ ...box, fit: 'inside', withoutEnlargement: true })

/** Returns the pixels of a still variant, from those of the largest: 50 dB from what the file itself would give. */
export const stillFrom = async (picture: Pixels, width: VariantWidth): Promise<Pixels> =>
  holdsWhole(width, picture.info) ? picture : pixelsWithin(sharp(picture.data, { raw: picture.info }), width)

/** Passes on only the shape from sharp's info: that also says premultiplied if the pixels were so at some point, and
 *  sharp would divide by alpha again. */
async function pixelsWithin(image: Sharp, width: VariantWidth): Promise<Pixels> {
  const raw = shrink(image, variantBox(width)).raw({ depth: 'uchar' })
  const { data, info } = await raw.toBuffer({ resolveWithObject: true })
  return { data, info: { width: info.width, height: info.height, channels: info.channels } }
}

/** The stills come from the first frame; this decodes the others to find damage, keeping next to nothing. */
async function decodeEveryFrame(image: Sharp): Promise<void> {
  await image.resize({ width: 8, height: 8, fit: 'fill' }).raw().toBuffer()
}
