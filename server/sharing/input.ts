import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'
import { cleanText, MAX_NAME } from '#server/images/names.ts'

/** The most images of a share without an album. */
export const MAX_SHARED = 1_000

const images = z
  .array(z.uuid().toLowerCase())
  .min(1)
  .max(MAX_SHARED)
  .refine((ids) => new Set(ids).size === ids.length, invalid('repeatedImage'))

/** What is shared: one image, several in their order, or an album as it is at each visit. */
export const targetInput = z.union([z.strictObject({ images }), z.strictObject({ album: z.uuid().toLowerCase() })], {
  error: invalid('shareTarget'),
})

const count = z.int().min(1).max(Number.MAX_SAFE_INTEGER)
/** Null for the site's limit. */
const limit = count.nullable().optional()

/** What an owner may set. Null or nothing is the default: no password, no end, limits of the site. */
export const settingsInput = {
  title: z.string().max(2_000).transform(cleanText).pipe(z.string().max(MAX_NAME)).optional(),
  password: z.string().min(1).max(1_000).nullable().optional(),
  /** ISO 8601. */
  expiresAt: z.iso
    .datetime({ offset: true })
    .refine((text) => Date.parse(text) < Date.UTC(10_000, 0))
    .nullable()
    .optional(),
  maxViews: z.int().min(1).max(1_000_000).nullable().optional(),
  originals: z.boolean().optional(),
  /** Whether titles and descriptions of the images are shown. */
  showsTitles: z.boolean().optional(),
  limits: z.strictObject({ requestsPerHour: limit, requestsPerDay: limit, bytesPerDay: limit }).optional(),
}

const settings = z.strictObject(settingsInput)
export type ShareSettings = z.output<typeof settings>
