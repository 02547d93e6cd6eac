import { writeFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { type BrandKind, type BrandRendering, brandPath } from '#server/images/brand.ts'
import type { DecodedSource } from './source.ts'

const CLEAR = { r: 255, g: 255, b: 255, alpha: 0 }

/** The part of a maskable icon that no mask cuts off, in pixels of 512: a circle of 80 % (W3C Web App Manifest) holds it. */
const SAFE = 352

/** Writes the renderings of a decoded file. */
export async function writeBrand(kind: BrandKind, { picture }: DecodedSource, folder: string): Promise<void> {
  const { data, info } = picture
  const open = () => sharp(data, { raw: info })
  const write = async (name: BrandRendering, image: Sharp) =>
    writeFile(brandPath(folder, name), await image.png({ compressionLevel: 9 }).toBuffer())
  if (kind === 'logo') {
    // Three times the pixels of the header's 28 px.
    const box = { width: 480, height: 84 }
    return write('logo', open().resize({ ...box, fit: 'inside', withoutEnlargement: true }))
  }
  const square = (size: number, background: typeof CLEAR) =>
    open().ensureAlpha().resize({ width: size, height: size, fit: 'contain', background })
  // Systems fill what is transparent with black.
  const filled = (image: Sharp) => image.flatten({ background: '#ffffff' })
  await write('icon-32', square(32, CLEAR))
  await write('icon-180', filled(square(180, CLEAR)))
  await write('icon-192', square(192, CLEAR))
  await write('icon-512', square(512, CLEAR))
  const inner = await square(SAFE, CLEAR).png().toBuffer()
  const margin = (512 - SAFE) / 2
  const around = { top: margin, bottom: margin, left: margin, right: margin, background: CLEAR }
  await write('icon-maskable', filled(sharp(inner).extend(around)))
}
