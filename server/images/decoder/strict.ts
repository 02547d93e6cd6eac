import type { Metadata, Sharp, SharpOptions } from 'sharp'
import { MAX_TOTAL_PIXELS } from '#server/cleaning/caps.ts'

/** How untrusted files are read: whatever a decoder warns of is damage. */
export const strict: SharpOptions = { failOn: 'warning', limitInputPixels: MAX_TOTAL_PIXELS, sequentialRead: true }

/**
 * A picture of 16 bits a channel, taken to 8 before its colour profile is applied: sharp brings deeper colours to
 * Display P3 instead of sRGB, and leaves a deeper grey as it is.
 */
export function in8Bits(image: Sharp, { space }: Pick<Metadata, 'space'>): Sharp {
  if (space === 'rgb16') return image.pipelineColourspace('srgb')
  return space === 'grey16' ? image.pipelineColourspace('b-w') : image
}
