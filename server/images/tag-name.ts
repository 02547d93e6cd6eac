import { z } from 'zod'
import { cleanLine } from '#server/accounts/profile/clean-line.ts'
import { invalid } from '#server/errors/invalid.ts'

/** The maximum length of a tag, in characters. */
export const MAX_TAG = 64

/** A tag's name: one line of what can be read. */
export const tagName = z
  .string()
  .max(1_000)
  .transform(cleanLine)
  .pipe(z.string().min(1, invalid('tag')).max(MAX_TAG, invalid('tagTooLong')))

/** Returns the key that an owner's tags are unique by: names that differ only in case, width or ligatures are one tag. By way of
 *  upper case, so that ß and ss, or the two forms of a small sigma, are the same. */
export const tagKey = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
