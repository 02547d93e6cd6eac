import type { SharpOptions } from 'sharp'
import { MAX_TOTAL_PIXELS } from '#server/images/clean/caps.ts'

/** How untrusted files are read: whatever a decoder warns of is damage. */
export const strict: SharpOptions = { failOn: 'warning', limitInputPixels: MAX_TOTAL_PIXELS, sequentialRead: true }
