import { z } from 'zod'
import { variantWidths } from '#server/images/variant.ts'

const storedVariants = z.array(
  z.strictObject({
    width: z.literal(variantWidths),
    /** In bytes. */
    size: z.int().positive(),
    /** Hash of the variant's own bytes. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    /** Fewer than the image's if the animation was too long to be kept in this size. */
    frames: z.int().positive(),
  }),
)

/** A variant in the object store, as described in its object's row. */
export type StoredVariant = z.infer<typeof storedVariants>[number]

/** The columns that say which variants an image has. */
export interface VariantColumns {
  readonly variants: unknown
  readonly variantsDue: boolean
  readonly variantsReserved: number
}

/** Whether larger variants follow the upload's answer and are not made yet. One that is missing otherwise was left out. */
export const areAwaited = ({ variantsDue, variantsReserved }: VariantColumns): boolean =>
  variantsDue && variantsReserved > 0

/** Parses the column. Throws for anything but a list of variants, which would be a bug. */
export const parseVariants = (column: unknown): StoredVariant[] => storedVariants.parse(column)
