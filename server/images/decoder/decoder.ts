import { join } from 'node:path'
import { z } from 'zod'
import { removedKinds } from '#server/cleaning/cleaning.ts'
import type { RenderedAs } from '#server/images/brand.ts'
import type { UploadFormat } from '#server/images/format.ts'
import { type VariantWidth, variantWidths } from '#server/images/variant.ts'
import type { QueueFigures } from '#server/turns/fair-queue.ts'
import type { Turn } from '#server/turns/lanes.ts'

/** Cleans and decodes untrusted images in processes with a deadline, which may hang or crash without harm. An image's type is
 *  the one by which it was decoded, never what its sender claims. */
export interface Decoder {
  /** Cleans a file, fully decodes the clean file and makes the variants. A file that is rejected is a value, not an
   *  error. The outermost lane of the turn is the owner. */
  decode(job: DecodeJob, turn: Turn): Promise<DecodeOutcome>
  /** Makes the variants of a kept picture: at the given turn, or without one when nothing else is to be done, within seconds. */
  render(job: RenderJob, turn: Turn | null): Promise<RenderOutcome>
  /** Files decoded and pictures rendered so far. */
  readonly jobs: number
  /** How many are at work now, and how many files and pictures wait. */
  readonly figures: QueueFigures
  close(): Promise<void>
}

export interface DecodeJob {
  /** The upload. */
  readonly path: string
  /** The format according to the file's first bytes; a decoder that finds another one refuses the file. */
  readonly format: UploadFormat
  /** Where the clean file and the variants are written. */
  readonly folder: string
  /** What it is rendered as in place of the variants. */
  readonly renderedAs?: RenderedAs | undefined
  /** A folder for the picture, whose larger variants are then made by `render`. */
  readonly keepIn?: string | undefined
}

export interface RenderJob {
  /** Where the picture was kept, and the variants are written. */
  readonly folder: string
  readonly kept: KeptPicture
  /** Bytes of the cleaned image. */
  readonly imageBytes: number
}

export const cleanPath = (folder: string): string => join(folder, 'clean')

export const variantPath = (folder: string, width: VariantWidth): string => join(folder, `w${width}.webp`)

export const squarePath = (folder: string): string => join(folder, 'square.webp')

/** The variants that were made, the smallest first, with the number of frames of each. */
const madeVariants = z.array(z.strictObject({ width: z.literal(variantWidths), frames: z.int().positive() }))

/** The pixels that were kept, and the widths that are to be made of them. */
const keptPicture = z.strictObject({
  width: z.int().positive().max(16_383),
  height: z.int().positive().max(16_383),
  channels: z.literal([1, 2, 3, 4]),
  widths: z.array(z.literal(variantWidths)).min(1).max(variantWidths.length),
})

export type KeptPicture = z.infer<typeof keptPicture>

/** The result from a decoder process. Validated, because that process has read untrusted bytes. */
export const decodeOutcome = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('decoded'),
    /** Of the clean file. */
    format: z.enum(['jpeg', 'png', 'gif', 'webp', 'avif']),
    /** As displayed: orientation applied. */
    width: z.int().positive(),
    height: z.int().positive(),
    frames: z.int().positive(),
    variants: madeVariants,
    /** Present if larger variants are still to be made. */
    kept: keptPicture.optional(),
    /** ThumbHash in base64. */
    placeholder: z.base64().max(100),
    removed: z.array(z.enum(removedKinds)),
    /** Of the metadata, before it was removed. */
    photo: z.strictObject({ takenAt: z.iso.datetime().nullable(), camera: z.string().max(250).nullable() }),
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

export const renderOutcome = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('rendered'), variants: madeVariants }),
  z.strictObject({ outcome: z.literal('undecodable') }),
  z.strictObject({ outcome: z.literal('too-costly') }),
  z.strictObject({ outcome: z.literal('busy') }),
])

export type RenderOutcome = z.infer<typeof renderOutcome>

/** Pictures that are kept at once, and the bytes of their pixels. With more, answers wait for all variants. */
export const KEPT_AT_MOST = 32
export const KEPT_BYTES = 256 * 1024 * 1024

/** Bytes of resident memory at which a decoder process ends itself. */
export const MAX_DECODER_MEMORY = 768 * 1024 * 1024
