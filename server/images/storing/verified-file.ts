import type { Format } from '#server/images/format.ts'
import type { HashedFile } from './hash-file.ts'
import type { StoredVariant } from './stored-variants.ts'

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
  readonly variants: readonly (HashedFile & StoredVariant)[]
}

/** Returns the variants as an object's row stores them. */
export const describeVariants = ({ variants }: VerifiedFile): StoredVariant[] =>
  variants.map(({ width, size, sha256, frames }) => ({ width, size, sha256, frames }))

/** Returns how an object's row describes the file. */
export const toFacts = (file: VerifiedFile) => ({
  frames: file.frames,
  placeholder: file.placeholder,
  variants: describeVariants(file),
})
