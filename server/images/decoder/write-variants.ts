import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { type VariantWidth, variantBox } from '#server/images/variant.ts'
import type { Moving } from './apng-frames.ts'
import { variantPath } from './decoder.ts'
import type { DecodedSource, Pixels } from './source.ts'

interface WrittenVariant {
  readonly width: VariantWidth
  readonly frames: number
}

/** Writes the variants as WebP, without metadata and with the orientation applied, the smallest first. A variant with
 *  no fewer bytes than the image is left out; the image is served instead. */
export async function writeVariants(
  source: DecodedSource,
  folder: string,
  maxBytes: number,
): Promise<WrittenVariant[]> {
  const written: WrittenVariant[] = []
  for (const still of source.stills) {
    const { width } = still
    const moving = await source.moving(variantBox(width))
    const bytes = await encode(moving, still)
    if (bytes.length >= maxBytes) break
    await writeFile(variantPath(folder, width), bytes)
    written.push({ width, frames: moving ? source.frames : 1 })
  }
  return written
}

/** Effort 3 for stills: more takes twice the time for a hundredth of the bytes. Effort 0 for animations, which have
 *  many frames. */
function encode(moving: Moving | null, { data, info }: Pixels): Promise<Buffer> {
  if (moving) return moving.image.webp({ ...moving.timing, quality: 75, effort: 0 }).toBuffer()
  return sharp(data, { raw: info }).webp({ quality: 80, effort: 3 }).toBuffer()
}
