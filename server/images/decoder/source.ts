import { readFile } from 'node:fs/promises'
import sharp, { type Metadata, type OutputInfo, type Sharp } from 'sharp'
import type { Format } from '#server/images/format.ts'
import { type Size, sizeWithin, variantBox } from '#server/images/variant.ts'
import { type Moving, openApng } from './apng-frames.ts'
import { strict } from './strict.ts'

/** Decoded pixels, in sRGB. */
export interface Pixels {
  readonly data: Buffer
  readonly info: OutputInfo
}

/** A clean file, decoded to its end. */
export interface Source {
  /** As it is to be looked at: orientation applied; of an animation a frame's. */
  readonly size: Size
  readonly frames: number
  /** The picture, or an animation's first frame, no larger than the largest variant. */
  readonly still: Pixels
  /** The animation, made to fit a box; null for what stands still or has too many pixels to be kept moving. */
  moving(box: Size): Promise<Moving | null>
}

/** Pixels of an animation that is kept moving in a variant: some 2 s of work. */
const MAX_MOVING_PIXELS = 25_000_000

/** Decodes the clean file. Throws at damage. */
export async function openSource(path: string, metadata: Metadata, format: Format, frames: number): Promise<Source> {
  const isMoving = frames > 1
  const size = isMoving ? frameSize(metadata) : metadata.autoOrient
  const still = await stillOf(path, isMoving)
  if (!isMoving) return { size, frames, still, moving: async () => null }
  const fits = (box: Size) => pixelsOf(sizeWithin(size, box)) * frames <= MAX_MOVING_PIXELS
  if (format === 'png') {
    const open = fits(size) ? await openApng(await readFile(path)) : null
    return { size, frames, still, moving: async (box) => (await open?.(box)) ?? null }
  }
  await decodeEveryFrame(path)
  const moving = (box: Size) => ({ image: shrunk(sharp(path, { ...strict, animated: true }), box) })
  return { size, frames, still, moving: async (box) => (fits(box) ? moving(box) : null) }
}

const frameSize = ({ width, height, pageHeight }: Metadata): Size => ({ width, height: pageHeight ?? height })

const pixelsOf = ({ width, height }: Size): number => width * height

export const shrunk = (image: Sharp, box: Size): Sharp =>
  image.resize({ ...box, fit: 'inside', withoutEnlargement: true })

function stillOf(path: string, isMoving: boolean): Promise<Pixels> {
  const image = sharp(path, strict)
  return shrunk(isMoving ? image : image.autoOrient(), variantBox(1600))
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
}

/** The still is the first frame; this decodes the others, keeping next to nothing. */
async function decodeEveryFrame(path: string): Promise<void> {
  const options = { ...strict, animated: true }
  await sharp(path, options).resize({ width: 8, height: 8, fit: 'fill' }).raw().toBuffer()
}
