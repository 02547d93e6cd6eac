import { join } from 'node:path'
import { z } from 'zod'
import { removedKinds } from '#server/cleaning/cleaning.ts'
import type { Format } from '#server/images/format.ts'
import { type VariantWidth, variantWidths } from '#server/images/variant.ts'

/** Cleans and decodes untrusted images somewhere that may hang or crash without harm. */
export interface Decoder {
  /** Writes a file anew without what an image does not need, decodes that to its end, and makes the variants. A file that will not do is a value, not an error. */
  decode(job: DecodeJob): Promise<DecodeOutcome>
  /** Files that a decoder was given so far. */
  readonly jobs: number
  close(): Promise<void>
}

export interface DecodeJob {
  /** The upload. */
  readonly path: string
  /** What the file's first bytes say; a decoder that finds another format refuses. */
  readonly format: Format
  /** Where the clean file and the variants are written. */
  readonly folder: string
}

export const cleanPath = (folder: string): string => join(folder, 'clean')

export const variantPath = (folder: string, width: VariantWidth): string => join(folder, `w${width}.webp`)

/** What the decoder's process tells: its words come from a process that read a stranger's file, so they are checked. */
export const decodeOutcome = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('decoded'),
    /** As it is to be looked at: orientation applied. */
    width: z.int().positive(),
    height: z.int().positive(),
    frames: z.int().positive(),
    /** Which of the variants there are, the smallest first, and the frames of each. */
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
  /** Every decoder is at work and the queue is full. */
  z.strictObject({ outcome: z.literal('busy') }),
])

export type DecodeOutcome = z.infer<typeof decodeOutcome>

/** Bytes of resident memory at which a decoder gives up. */
export const MAX_DECODER_MEMORY = 768 * 1024 * 1024
