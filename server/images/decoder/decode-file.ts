import { readFile, writeFile } from 'node:fs/promises'
import sharp, { type Metadata } from 'sharp'
import { cleanImage } from '#server/cleaning/clean.ts'
import type { ImageHeader } from '#server/cleaning/cleaning.ts'
import type { Format } from '#server/images/format.ts'
import { cleanPath, type DecodeJob, type DecodeOutcome } from './decoder.ts'
import { createPlaceholder } from './placeholder.ts'
import { openSource } from './source.ts'
import { strict } from './strict.ts'
import { writeVariants } from './write-variants.ts'

/** Cleans a file, then fully decodes the clean file, from which everything else is made. Headers are checked against
 *  the caps before a decoder sees the file. Throws what the decoder throws on damage, and file system errors. */
export async function decodeFile({ path, format, folder }: DecodeJob): Promise<DecodeOutcome> {
  const cleaning = await cleanImage(format, await readFile(path))
  if (cleaning.outcome !== 'clean') return cleaning
  const { header, parts, removed } = cleaning
  const clean = cleanPath(folder)
  await writeFile(clean, parts)
  const metadata = await sharp(clean, { ...strict, animated: true }).metadata()
  if (!agrees(metadata, format, header)) return { outcome: 'undecodable' }
  const source = await openSource(clean, metadata, format, header.frames)
  const variants = await writeVariants(source, folder, totalLength(parts))
  const placeholder = await createPlaceholder(source.smallest)
  return { outcome: 'decoded', ...source.size, frames: header.frames, variants, placeholder, removed: [...removed] }
}

/** Whether the decoder and the cleaner read the same from the file. The decoder shows only the first picture of an
 *  APNG, and uses the first frame instead of a GIF's screen if that has the size of a monitor. */
function agrees(metadata: Metadata, format: Format, header: ImageHeader): boolean {
  const { width, height: total, pageHeight: height = total, pages = 1 } = metadata
  const isAvif = metadata.format === 'heif' && metadata.compression === 'av1'
  const isFormat = format === 'avif' ? isAvif : metadata.format === format
  const hasFrames = format === 'png' || pages === header.frames
  const isWithin = width <= header.width && height <= header.height
  const hasSize = format === 'gif' ? isWithin : width === header.width && height === header.height
  return isFormat && hasFrames && hasSize
}

const totalLength = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0)
