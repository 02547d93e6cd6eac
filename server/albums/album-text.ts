import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'
import { cleanLines, cleanText, MAX_DESCRIPTION, MAX_NAME } from '#server/images/names.ts'

/** Longer text is not even cleaned. */
const UNCLEANED = 10_000

/** An album's title, cleaned as an image's is. */
export const albumTitle = z
  .string()
  .max(UNCLEANED, invalid('albumTitleTooLong'))
  .transform(cleanText)
  .pipe(
    z
      .string()
      .min(1, invalid('albumTitle'))
      .refine((title) => [...title].length <= MAX_NAME, invalid('albumTitleTooLong')),
  )

export const albumDescription = z
  .string()
  .max(UNCLEANED, invalid('descriptionTooLong'))
  .transform(cleanLines)
  .pipe(z.string().max(MAX_DESCRIPTION, invalid('descriptionTooLong')))

export const albumVisibility = z.enum(['private', 'link', 'public'])

/** How an album's images are ordered: by hand, or by when they were uploaded. */
export const albumOrder = z.enum(['manual', 'newest', 'oldest'])
export type AlbumOrder = z.output<typeof albumOrder>
