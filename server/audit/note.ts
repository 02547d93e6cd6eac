import { z } from 'zod'

/** What somebody writes beside a change, for those who read of it later. */
export const noteSchema = z
  .string()
  .max(500)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be text, without broken or null characters')
