import { readFile, writeFile } from 'node:fs/promises'
import sharp, { type Metadata } from 'sharp'
import { cleanImage } from '#server/cleaning/clean.ts'
import type { ImageHeader } from '#server/cleaning/cleaning.ts'
import type { Format } from '#server/images/format.ts'
import { cleanPath, type DecodeJob, type DecodeOutcome } from './decoder.ts'
import { placeholderOf } from './placeholder.ts'
import { openSource } from './source.ts'
import { strict } from './strict.ts'
import { writeVariants } from './write-variants.ts'

/**
 * Cleans a file, then decodes what will be stored to its end, for what is made of it is made of that. Its headers are held
 * against the caps before a decoder sees it. Throws what the decoder throws at damage, and the file system's errors.
 */
export async function decodeFile({ path, format, folder }: DecodeJob): Promise<DecodeOutcome> {
  const cleaning = await cleanImage(format, await readFile(path))
  if (cleaning.outcome !== 'clean') return cleaning
  const { header, parts, removed } = cleaning
  const clean = cleanPath(folder)
  await writeFile(clean, parts)
  const metadata = await sharp(clean, { ...strict, animated: true }).metadata()
  if (!agrees(metadata, format, header)) return { outcome: 'undecodable' }
  const source = await openSource(clean, metadata, format, header.frames)
  const variants = await writeVariants(source, folder, sizeOf(parts))
  const placeholder = await placeholderOf(source.smallest)
  return { outcome: 'decoded', ...source.size, frames: header.frames, variants, placeholder, removed: [...removed] }
}

/**
 * Whether the decoder reads of the file what the cleaner read. It shows an APNG's first picture alone, and in the place of a
 * GIF's screen the first frame, where the screen has the size of a monitor.
 */
function agrees(metadata: Metadata, format: Format, header: ImageHeader): boolean {
  const { width, height: total, pageHeight: height = total, pages = 1 } = metadata
  const isAvif = metadata.format === 'heif' && metadata.compression === 'av1'
  const isFormat = format === 'avif' ? isAvif : metadata.format === format
  const hasFrames = format === 'png' || pages === header.frames
  const isWithin = width <= header.width && height <= header.height
  const hasSize = format === 'gif' ? isWithin : width === header.width && height === header.height
  return isFormat && hasFrames && hasSize
}

const sizeOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0)
