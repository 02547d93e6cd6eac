import { z } from 'zod'
import type { Format } from './format.ts'

/** Decodes untrusted images somewhere that may hang or crash without harm. */
export interface Decoder {
  /** Decodes a file to its end and writes the variants beside it. A file that will not do is a value, not an error. */
  decode(job: DecodeJob): Promise<DecodeOutcome>
  /** Files that a decoder was given so far. */
  readonly jobs: number
  close(): Promise<void>
}

export interface DecodeJob {
  readonly path: string
  /** What the file's first bytes say; a decoder that finds another format refuses. */
  readonly format: Format
  readonly variants: readonly VariantJob[]
}

export interface VariantJob {
  readonly path: string
  /** The box the picture is made to fit in, in pixels; a smaller picture keeps its size. */
  readonly width: number
  readonly height: number
}

/** What the decoder's process tells: its words come from a process that read a stranger's file, so they are checked. */
export const decodeOutcome = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('decoded'),
    /** As it is to be looked at: orientation applied. */
    width: z.int().positive(),
    height: z.int().positive(),
    frames: z.int().positive(),
    /** Bytes of the variants, in the order of the job's. */
    variantSizes: z.array(z.int().positive()),
  }),
  z.strictObject({ outcome: z.literal('undecodable') }),
  z.strictObject({ outcome: z.literal('too-many-pixels') }),
  /** It took too long or too much memory, or crashed the decoder. */
  z.strictObject({ outcome: z.literal('too-costly') }),
  /** Every decoder is at work and the queue is full. */
  z.strictObject({ outcome: z.literal('busy') }),
])

export type DecodeOutcome = z.infer<typeof decodeOutcome>

/** Pixels of all frames together: 100 megapixels took 0.4 GB in the worst coding of each format. */
export const MAX_PIXELS = 100_000_000
export const MAX_FRAMES = 1_000

/** Bytes of resident memory at which a decoder gives up. */
export const MAX_DECODER_MEMORY = 768 * 1024 * 1024
