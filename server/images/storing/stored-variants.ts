import { z } from 'zod'
import { variantWidths } from '#server/images/variant.ts'

const storedVariants = z.array(
  z.strictObject({
    width: z.literal(variantWidths),
    /** Bytes. */
    size: z.int().positive(),
    /** Of its own bytes. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    /** Fewer than the image's when an animation was too long to move in this size too. */
    frames: z.int().positive(),
  }),
)

/** A smaller rendering that lies in the object store, as its object's row tells. */
export type StoredVariant = z.infer<typeof storedVariants>[number]

/** Reads the column; what is not a list of variants is a bug. */
export const parseVariants = (column: unknown): StoredVariant[] => storedVariants.parse(column)
