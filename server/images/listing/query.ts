import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'
import type { formats } from '../format.ts'
import { tagName } from '../tag-name.ts'

/** The longest text to search for, in characters. */
export const MAX_TEXT = 200

/** The most words of it: each is looked for in every image that has the others. */
const MAX_WORDS = 20

const types = ['jpeg', 'png', 'gif', 'webp', 'avif'] as const satisfies readonly (keyof typeof formats)[]

/** A day, or an instant with its offset. Four digits are a year that the database and JavaScript write alike. */
const date = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .refine((text) => /^(?!0000)\d{4}-/.test(text) && !Number.isNaN(Date.parse(text)), invalid('date'))

/** Compatible forms first, as the database does: some letters become two with a space between. */
const countWords = (text: string): number => text.normalize('NFKD').trim().split(/\s+/).length

/** Text to search for. Some of what JSON can hold, no database can. */
export const searchText = z
  .string()
  .max(MAX_TEXT, invalid('searchTooLong'))
  .refine((text) => text.isWellFormed() && !text.includes('\0'), invalid('search'))

/** What narrows a list of images. Everything that is said must hold. */
export const imageQuery = z.strictObject({
  /** Words, each of which must be part of the title, description, file name, a tag, an album or, for admins, the owner's name.
   *  Case, accents and width make no difference. */
  text: searchText
    .refine((text) => countWords(text) <= MAX_WORDS, {
      message: invalid('searchWords'),
      params: { maximum: MAX_WORDS },
    })
    .optional(),
  album: z.uuid().optional(),
  /** The name of a tag. */
  tag: tagName.optional(),
  owner: z.uuid().optional(),
  type: z.enum(types).optional(),
  visibility: z.enum(['private', 'link', 'public']).optional(),
  /** Of the viewer. */
  favourite: z.boolean().optional(),
  animated: z.boolean().optional(),
  /** A square is at most a tenth wider or higher than the other way. */
  shape: z.enum(['landscape', 'portrait', 'square']).optional(),
  /** Of the file: below 1 MiB, below 10 MiB, or larger. */
  size: z.enum(['small', 'medium', 'large']).optional(),
  /** The first and the last day (UTC), or the instants between which an image was uploaded, or taken if the list is by that. */
  from: date.optional(),
  to: date.optional(),
})

export type ImageQuery = z.output<typeof imageQuery>

/** What `image.list`, `image.count` and `image.timeline` have in common. */
export const listed = {
  /** The viewer's own, everybody's for admins, or the public gallery; for guests the gallery, for admins all, otherwise one's own. */
  scope: z.enum(['mine', 'all', 'gallery']).optional(),
  query: imageQuery.optional(),
  /** In an album its own order unless said, elsewhere `newest`. */
  sort: z.enum(['newest', 'oldest', 'title', 'largest']).optional(),
  /** The date that counts: of the upload, or when the picture was taken (of the upload too if that is unknown). */
  by: z.enum(['uploaded', 'taken']).default('uploaded'),
}

const schema = z.strictObject({ ...listed, trash: z.boolean().default(false) })

/** A list of images, apart from which part of it is asked for. */
export type Listed = z.output<typeof schema>

export const hasNoTrash = ({ scope, trash }: Pick<Listed, 'scope' | 'trash'>): boolean => scope === 'gallery' && trash
