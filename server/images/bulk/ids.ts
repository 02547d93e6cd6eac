import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'

/** The maximum number of images per call. */
export const MAX_IMAGES = 100

/** Distinct image IDs. Lower case, because the database accepts any case. */
export const imageIds = z
  .array(z.uuid().toLowerCase())
  .min(1)
  .max(MAX_IMAGES)
  .refine((ids) => new Set(ids).size === ids.length, invalid('repeatedImage'))
