import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'

/** The reason for a change, shown in the history. */
export const noteSchema = z
  .string()
  .max(500)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), invalid('note'))
