import { z } from 'zod'

/** Images of one call. */
export const MAX_IMAGES = 100

/** Images by their ids, each once: the database knows an id by any case. */
export const imageIds = z
  .array(z.uuid().toLowerCase())
  .min(1)
  .max(MAX_IMAGES)
  .refine((ids) => new Set(ids).size === ids.length, 'Each image once.')
