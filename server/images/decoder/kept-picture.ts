import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { widthsFor } from '#server/images/variant.ts'
import type { KeptPicture, RenderJob, RenderOutcome } from './decoder.ts'
import { type DecodedSource, type Pixels, stillFrom } from './source.ts'
import { writeStills, writeVariants } from './write-variants.ts'

/*
 * A decoded picture is kept as a file in the size of the largest variant, so that the larger variants can follow the upload's
 * answer without another decoding, whatever becomes of the process that decoded it. The file lives for seconds, so it is mostly
 * in the system's page cache.
 */

/** Pixels from which it pays to answer before the larger variants are made: these take 20 ms and more. */
const WORTH_KEEPING = 1_000_000

const picturePath = (folder: string): string => join(folder, 'picture')

interface Written {
  readonly variants: Awaited<ReturnType<typeof writeVariants>>
  readonly kept?: KeptPicture
}

/** Writes the variants, or, given a folder to keep a still picture in, the smallest one and the picture for the others. */
export async function writeOrKeep(
  source: DecodedSource,
  { folder, imageBytes, keepIn }: { folder: string; imageBytes: number; keepIn: string | undefined },
): Promise<Written> {
  const { data, info } = source.picture
  const [smallest, ...larger] = widthsFor(source.size)
  const isWorthIt = source.frames === 1 && larger.length > 0 && info.width * info.height >= WORTH_KEEPING
  if (keepIn === undefined || smallest === undefined || !isWorthIt)
    return { variants: await writeVariants(source, { folder, imageBytes }) }
  const variants = await writeVariants(source, { folder, imageBytes, widths: [smallest] })
  if (variants.length === 0) return { variants }
  await writeFile(picturePath(keepIn), data, { mode: 0o600 })
  return { variants, kept: { ...info, widths: larger } }
}

/** Writes the other variants of a kept picture beside it. */
export async function renderKept({ folder, imageBytes, kept }: RenderJob): Promise<RenderOutcome> {
  const { widths, ...info } = kept
  const picture: Pixels = { data: await readFile(picturePath(folder)), info }
  const variants = await writeStills((width) => stillFrom(picture, width), { folder, imageBytes, widths })
  return { outcome: 'rendered', variants }
}
