import sharp, { type Metadata, type Sharp } from 'sharp'
import { readApngFrames } from '#server/cleaning/png/apng.ts'
import { ApngCanvas } from '#server/cleaning/png/apng-canvas.ts'
import { type Size, sizeWithin } from '#server/images/variant.ts'
import { replaceSamples } from './png-gamma.ts'
import { in8Bits, strict } from './strict.ts'
import { orient } from './turned.ts'

/** An animation scaled to fit a box, with the timing that the encoder needs. */
export interface Moving {
  readonly image: Sharp
  readonly timing?: { readonly delay: number[]; readonly loop: number }
}

/**
 * Decodes an APNG, because sharp shows only its first picture. Each frame is a PNG of its own, drawn onto the canvas
 * according to its frame control. Keeps all frames in memory, four bytes per pixel. Throws on damage.
 */
export async function openApng(
  bytes: Buffer,
  metadata: Pick<Metadata, 'space' | 'orientation' | 'autoOrient'>,
  gamma: Uint8Array | null,
): Promise<(box: Size) => Promise<Moving>> {
  const { width, height, loop, frames } = readApngFrames(bytes)
  const seen = { width: metadata.autoOrient.width, height: metadata.autoOrient.height }
  const canvas = new ApngCanvas(width, height)
  const shown: Buffer[] = []
  for (const frame of frames) {
    const rgba = await decodeRgba(frame.png, metadata)
    if (gamma) replaceSamples(rgba, 4, gamma)
    shown.push(orient(canvas.draw(frame, rgba), { width, height }, metadata.orientation ?? 1))
  }
  const timing = { delay: frames.map(({ delayMs }) => Math.round(delayMs)), loop }
  return async (box) => {
    const small = sizeWithin(seen, box)
    const shrunk: Buffer[] = []
    for (const pixels of shown) shrunk.push(await shrink(pixels, seen, small))
    const raw = { ...small, height: small.height * shown.length, channels: 4, pageHeight: small.height } as const
    return { image: sharp(Buffer.concat(shrunk), { raw }), timing }
  }
}

const decodeRgba = (png: Buffer, metadata: Pick<Metadata, 'space'>): Promise<Buffer> =>
  in8Bits(sharp(png, strict), metadata).toColourspace('srgb').ensureAlpha().raw({ depth: 'uchar' }).toBuffer()

/** Frame by frame, because sharp scales raw pixels as if they were one picture. */
async function shrink(pixels: Buffer, size: Size, small: Size): Promise<Buffer> {
  if (small.width === size.width && small.height === size.height) return pixels
  return sharp(pixels, { raw: { ...size, channels: 4 } })
    .resize({ ...small, fit: 'fill' })
    .raw()
    .toBuffer()
}
