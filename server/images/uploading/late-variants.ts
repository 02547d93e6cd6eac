import type { Turn } from '#server/turns/lanes.ts'
import { type Decoder, type KeptPicture, variantPath } from '../decoder/decoder.ts'
import { hashFile } from '../storing/hash-file.ts'
import type { VariantFile, VerifiedFile } from '../storing/verified-file.ts'
import { maxStillBytes, sizeWithin, type VariantWidth, variantBox } from '../variant.ts'
import type { PicturePlace } from './kept-pictures.ts'

/** The larger variants of an upload, to be made of the picture that was kept. Disposing of them deletes the picture. */
export interface LateVariants extends AsyncDisposable {
  /** The most bytes that they take. */
  readonly reserved: number
  /** Makes them: at the given turn, or without one when nothing else is to be done. Returns null if that is not possible now. */
  make(turn: Turn | null): Promise<readonly VariantFile[] | null>
}

/** A kept picture and the decoder that makes variants of it. */
export function lateVariants(
  decoder: Decoder,
  place: PicturePlace,
  kept: KeptPicture,
  imageBytes: number,
): LateVariants {
  const folder = place.path
  return {
    reserved: kept.widths.reduce((sum, width) => sum + mostBytes(kept, width, imageBytes), 0),
    async make(turn) {
      const rendered = await decoder.render({ folder, kept, imageBytes }, turn)
      return rendered.outcome === 'rendered' ? hashVariants(folder, rendered.variants) : null
    },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  }
}

const mostBytes = (kept: KeptPicture, width: VariantWidth, imageBytes: number): number =>
  maxStillBytes(sizeWithin(kept, variantBox(width)), kept.channels, imageBytes)

/** Returns the variants in a folder, with their sizes and hashes. */
export async function hashVariants(
  folder: string,
  made: readonly { readonly width: VariantWidth; readonly frames: number }[],
): Promise<VariantFile[]> {
  const variants: VariantFile[] = []
  for (const variant of made) variants.push({ ...variant, ...(await hashFile(variantPath(folder, variant.width))) })
  return variants
}

/** Returns a file that has all its variants. */
export const withVariants = (file: VerifiedFile, late: readonly VariantFile[]): VerifiedFile => ({
  ...file,
  variants: [...file.variants, ...late],
  reserved: 0,
})
