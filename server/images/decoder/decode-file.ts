import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { cleanImage } from '#server/cleaning/clean.ts'
import type { ImageHeader } from '#server/cleaning/cleaning.ts'
import { withCornerFrame } from '#server/cleaning/gif/gif-decoder-copy.ts'
import { readPhotoDetails } from '#server/cleaning/photo-details.ts'
import type { Format } from '#server/images/format.ts'
import { cleanPath, type DecodeJob, type DecodeOutcome } from './decoder.ts'
import { convertHeic } from './heic/convert-heic.ts'
import { writeOrKeep } from './kept-picture.ts'
import { createPlaceholder } from './placeholder.ts'
import { type Decodable, openSource } from './source.ts'
import { strict } from './strict.ts'
import { writeBrand } from './write-brand.ts'
import { writeSquare } from './write-square.ts'

/** Cleans a file, after converting it if it is a HEIC, then fully decodes the clean file, from which everything else is made.
 *  Headers are checked against the caps before a decoder sees the file. Throws what the decoder throws on damage, and file
 *  system errors. */
export async function decodeFile({ path, folder, keepIn, ...job }: DecodeJob): Promise<DecodeOutcome> {
  const converted = job.format === 'heic' ? await convertHeic(path) : null
  if (converted && converted.outcome !== 'converted') return converted
  const format = job.format === 'heic' ? 'jpeg' : job.format
  const cleaning = await cleanImage(format, converted?.jpeg ?? (await readFile(path)))
  if (cleaning.outcome !== 'clean') return cleaning
  const { header, parts } = cleaning
  const { removed, exif } = converted ?? cleaning
  const clean = cleanPath(folder)
  await writeFile(clean, parts)
  const decodable = await readDecodable(clean, format, header)
  if (!agrees(decodable, format, header)) return { outcome: 'undecodable' }
  const source = await openSource(decodable, format, header.frames)
  const { renderedAs } = job
  if (renderedAs === 'picture') await writeSquare(source, folder)
  else if (renderedAs) await writeBrand(renderedAs, source, folder)
  const imageBytes = totalLength(parts)
  const written = renderedAs ? { variants: [] } : await writeOrKeep(source, { folder, imageBytes, keepIn })
  const placeholder = await createPlaceholder(source.smallest)
  return {
    outcome: 'decoded',
    format,
    ...source.size,
    frames: header.frames,
    ...written,
    placeholder,
    removed: [...removed],
    photo: readPhotoDetails(exif, new Date()),
  }
}

/** Returns the clean file, or a copy of a GIF whose canvas the decoder would not draw. */
async function readDecodable(clean: string, format: Format, header: ImageHeader): Promise<Decodable> {
  const read = (path: string) => sharp(path, { ...strict, animated: true }).metadata()
  const metadata = await read(clean)
  const isCanvas = metadata.width === header.width && (metadata.pageHeight ?? metadata.height) === header.height
  if (format !== 'gif' || isCanvas) return { path: clean, metadata, page: 0 }
  const path = `${clean}.gif`
  await writeFile(path, withCornerFrame(await readFile(clean), header))
  return { path, metadata: await read(path), page: 1 }
}

/** Whether the decoder and the cleaner read the same from the file. The decoder shows only the first picture of an APNG. */
function agrees({ metadata, page }: Decodable, format: Format, header: ImageHeader): boolean {
  const { width, height: total, pageHeight: height = total, pages = 1 } = metadata
  const isAvif = metadata.format === 'heif' && metadata.compression === 'av1'
  const isFormat = format === 'avif' ? isAvif : metadata.format === format
  const hasFrames = format === 'png' || pages === header.frames + page
  return isFormat && hasFrames && width === header.width && height === header.height
}

const totalLength = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0)
