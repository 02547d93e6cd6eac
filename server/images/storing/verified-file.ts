import type { PhotoDetails } from '#server/cleaning/photo-details.ts'
import type { Format } from '#server/images/format.ts'
import type { HashedFile } from './hash-file.ts'
import type { StoredVariant } from './stored-variants.ts'

export type VariantFile = HashedFile & StoredVariant

/** A cleaned file in the temp folder that has been decoded without errors, with its variants. */
export interface VerifiedFile {
  readonly format: Format
  /** After applying the orientation. */
  readonly width: number
  readonly height: number
  readonly frames: number
  /** ThumbHash in base64. */
  readonly placeholder: string
  readonly original: HashedFile
  /** The hash of what was uploaded, if it was converted: the next version of the converter may write other bytes. */
  readonly uploadSha256: string | null
  /** Kept if the owner has chosen so. */
  readonly photo: PhotoDetails
  readonly variants: readonly VariantFile[]
  /** The most bytes of the larger variants that follow the upload's answer; 0 if none do. */
  readonly reserved: number
}

/** Returns variants as an object's row stores them. */
export const describeVariants = (variants: readonly VariantFile[]): StoredVariant[] =>
  variants.map(({ width, size, sha256, frames }) => ({ width, size, sha256, frames }))

/** Returns how an object's row describes the file. */
export const toFacts = (file: VerifiedFile) => ({
  frames: file.frames,
  placeholder: file.placeholder,
  variants: describeVariants(file.variants),
  variantsDue: file.reserved > 0,
  variantsReserved: file.reserved,
})
