import { readFile } from 'node:fs/promises'
import sharp, { type CreateRaw, type Metadata, type Sharp } from 'sharp'
import type { Format } from '#server/images/format.ts'
import { holdsWhole, type Size, sizeWithin, type VariantWidth, variantBox, widthsFor } from '#server/images/variant.ts'
import { type Moving, openApng } from './apng-frames.ts'
import { gammaTable, replaceSamples } from './png-gamma.ts'
import { in8Bits, strict } from './strict.ts'

/** Decoded pixels, in sRGB. */
export interface Pixels {
  readonly data: Buffer
  readonly info: CreateRaw
}

/** The pixels of a variant that stands still. */
export interface Still extends Pixels {
  readonly width: VariantWidth
}

/** A clean file, decoded to its end. */
export interface Source {
  /** As it is to be looked at: orientation applied; of an animation a frame's. */
  readonly size: Size
  readonly frames: number
  /** The picture, or an animation's first frame, as large as each of its variants: the smallest first. */
  readonly stills: readonly Still[]
  readonly smallest: Pixels
  /** The animation, made to fit a box; null for what stands still or has too many pixels to be kept moving. */
  moving(box: Size): Promise<Moving | null>
}

/** Pixels of an animation that is kept moving in a variant: some 2 s of work. */
const MAX_MOVING_PIXELS = 25_000_000

/** Decodes the clean file. Throws at damage. */
export async function openSource(path: string, metadata: Metadata, format: Format, frames: number): Promise<Source> {
  const isMoving = frames > 1
  const isTurned = !isMoving || format === 'png'
  const size = isTurned ? metadata.autoOrient : frameSize(metadata)
  const png = format === 'png' ? await readFile(path) : null
  const gamma = png && gammaTable(png)
  const image = in8Bits(sharp(path, strict), metadata)
  const still = await stillsOf(isTurned ? image.autoOrient() : image, size, gamma)
  if (!isMoving) return { size, frames, ...still, moving: async () => null }
  const fits = (box: Size) => pixelsOf(sizeWithin(size, box)) * frames <= MAX_MOVING_PIXELS
  if (png) {
    const open = fits(size) ? await openApng(png, metadata, gamma) : null
    return { size, frames, ...still, moving: async (box) => (await open?.(box)) ?? null }
  }
  await decodeEveryFrame(path)
  const moving = (box: Size) => ({ image: shrunk(sharp(path, { ...strict, animated: true }), box) })
  return { size, frames, ...still, moving: async (box) => (fits(box) ? moving(box) : null) }
}

const frameSize = ({ width, height, pageHeight }: Metadata): Size => ({ width, height: pageHeight ?? height })

const pixelsOf = ({ width, height }: Size): number => width * height

export const shrunk = (image: Sharp, box: Size): Sharp =>
  image.resize({ ...box, fit: 'inside', withoutEnlargement: true })

/** Each is made of the next larger one, which takes less than to make all of the largest; no eye tells them apart (50 dB). */
async function stillsOf(
  image: Sharp,
  size: Size,
  gamma: Uint8Array | null,
): Promise<Pick<Source, 'stills' | 'smallest'>> {
  let smallest = await pixelsWithin(image, 1600)
  if (gamma) replaceSamples(smallest.data, smallest.info.channels, gamma)
  const stills: Still[] = []
  for (const width of widthsFor(size).toReversed()) {
    if (!holdsWhole(width, smallest.info))
      smallest = await pixelsWithin(sharp(smallest.data, { raw: smallest.info }), width)
    stills.unshift({ width, ...smallest })
  }
  return { stills, smallest }
}

/** Of what sharp tells only the shape is passed on: it says premultiplied where it was so for a while, and would divide by alpha anew. */
async function pixelsWithin(image: Sharp, width: VariantWidth): Promise<Pixels> {
  const raw = shrunk(image, variantBox(width)).raw({ depth: 'uchar' })
  const { data, info } = await raw.toBuffer({ resolveWithObject: true })
  return { data, info: { width: info.width, height: info.height, channels: info.channels } }
}

/** The stills are of the first frame; this decodes the others, keeping next to nothing. */
async function decodeEveryFrame(path: string): Promise<void> {
  const options = { ...strict, animated: true }
  await sharp(path, options).resize({ width: 8, height: 8, fit: 'fill' }).raw().toBuffer()
}
