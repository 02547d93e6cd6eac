import sharp, { type Metadata, type Sharp } from 'sharp'
import { framesOfApng } from '#server/cleaning/png/apng.ts'
import { ApngCanvas } from '#server/cleaning/png/apng-canvas.ts'
import { type Size, sizeWithin } from '#server/images/variant.ts'
import { replaceSamples } from './png-gamma.ts'
import { in8Bits, strict } from './strict.ts'
import { turned } from './turned.ts'

/** An animation, made to fit a box, with what an encoder has to be told of its timing. */
export interface Moving {
  readonly image: Sharp
  readonly timing?: { readonly delay: number[]; readonly loop: number }
}

/**
 * Decodes an APNG, of which sharp shows the first picture alone: every frame is a PNG of its own, drawn onto the canvas as
 * its frame control says. All of them are kept, four bytes a pixel. Throws at damage.
 */
export async function openApng(
  bytes: Buffer,
  metadata: Pick<Metadata, 'space' | 'orientation' | 'autoOrient'>,
  gamma: Uint8Array | null,
): Promise<(box: Size) => Promise<Moving>> {
  const { width, height, loop, frames } = framesOfApng(bytes)
  const seen = { width: metadata.autoOrient.width, height: metadata.autoOrient.height }
  const canvas = new ApngCanvas(width, height)
  const shown: Buffer[] = []
  for (const frame of frames) {
    const rgba = await rgbaOf(frame.png, metadata)
    if (gamma) replaceSamples(rgba, 4, gamma)
    shown.push(turned(canvas.draw(frame, rgba), { width, height }, metadata.orientation ?? 1))
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

const rgbaOf = (png: Buffer, metadata: Pick<Metadata, 'space'>): Promise<Buffer> =>
  in8Bits(sharp(png, strict), metadata).toColourspace('srgb').ensureAlpha().raw({ depth: 'uchar' }).toBuffer()

/** One frame after another, for sharp shrinks pixels that it is given raw as if they were one picture. */
async function shrink(pixels: Buffer, size: Size, small: Size): Promise<Buffer> {
  if (small.width === size.width && small.height === size.height) return pixels
  return sharp(pixels, { raw: { ...size, channels: 4 } })
    .resize({ ...small, fit: 'fill' })
    .raw()
    .toBuffer()
}
