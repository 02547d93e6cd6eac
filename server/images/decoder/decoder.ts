import { join } from 'node:path'
import { z } from 'zod'
import { removedKinds } from '#server/cleaning/cleaning.ts'
import type { BrandKind } from '#server/images/brand.ts'
import type { Format } from '#server/images/format.ts'
import { type VariantWidth, variantWidths } from '#server/images/variant.ts'
import type { Turn } from '#server/turns/lanes.ts'

/** Cleans and decodes untrusted images in processes with a deadline, which may hang or crash without harm. An image's type is
 *  the one by which it was decoded, never what its sender claims. */
export interface Decoder {
  /** Cleans a file, fully decodes the clean file and makes the variants. A file that is rejected is a value, not an
   *  error. The outermost lane of the turn is the owner. */
  decode(job: DecodeJob, turn: Turn): Promise<DecodeOutcome>
  /** Files decoded so far. */
  readonly jobs: number
  close(): Promise<void>
}

export interface DecodeJob {
  /** The upload. */
  readonly path: string
  /** The format according to the file's first bytes; a decoder that finds another one refuses the file. */
  readonly format: Format
  /** Where the clean file and the variants are written. */
  readonly folder: string
  /** Makes a small square in place of the variants, for the picture of an account. */
  readonly isSquare?: boolean
  /** What it is rendered as in place of the variants. */
  readonly brand?: BrandKind | undefined
}

export const cleanPath = (folder: string): string => join(folder, 'clean')

export const variantPath = (folder: string, width: VariantWidth): string => join(folder, `w${width}.webp`)

export const squarePath = (folder: string): string => join(folder, 'square.webp')

/** The result from a decoder process. Validated, because that process has read untrusted bytes. */
export const decodeOutcome = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('decoded'),
    /** As displayed: orientation applied. */
    width: z.int().positive(),
    height: z.int().positive(),
    frames: z.int().positive(),
    /** The variants that were made, the smallest first, with the number of frames of each. */
    variants: z.array(z.strictObject({ width: z.literal(variantWidths), frames: z.int().positive() })),
    /** ThumbHash in base64. */
    placeholder: z.base64().max(100),
    removed: z.array(z.enum(removedKinds)),
  }),
  z.strictObject({ outcome: z.literal('undecodable') }),
  z.strictObject({ outcome: z.literal('unsupported') }),
  z.strictObject({ outcome: z.literal('too-many-pixels') }),
  z.strictObject({ outcome: z.literal('too-much-metadata') }),
  /** It took too long or too much memory, or crashed the decoder. */
  z.strictObject({ outcome: z.literal('too-costly') }),
  /** The queue is full and this owner has the most files in it, or the turn was aborted before it came. */
  z.strictObject({ outcome: z.literal('busy') }),
])

export type DecodeOutcome = z.infer<typeof decodeOutcome>

/** Bytes of resident memory at which a decoder process ends itself. */
export const MAX_DECODER_MEMORY = 768 * 1024 * 1024
