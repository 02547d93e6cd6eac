import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'
import { cleanLine } from './clean-line.ts'

/** The longest line about oneself, in characters. */
const MAX_LINE = 160

/** The end of a profile's address, `/u/<name>`: letters that look the same nowhere else, so that no two names do. */
export const profileNameSchema = z
  .string()
  .max(1_000, invalid('profileName'))
  .transform((name) => name.trim().toLowerCase())
  .pipe(z.string().regex(/^[a-z0-9](?:[a-z0-9]|-(?!-)){1,28}[a-z0-9]$/, invalid('profileName')))

/** What a user says about themselves. '' for nothing. */
export const profileLineSchema = z
  .string()
  .max(10_000, invalid('profileLineTooLong'))
  .transform(cleanLine)
  .pipe(z.string().refine((line) => [...line].length <= MAX_LINE, invalid('profileLineTooLong')))
