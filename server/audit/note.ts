import { z } from 'zod'

/** The reason for a change, for whoever reads the history. */
export const noteSchema = z
  .string()
  .max(500)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be text, without broken or null characters')
