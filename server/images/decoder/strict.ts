import type { Metadata, Sharp, SharpOptions } from 'sharp'
import { MAX_TOTAL_PIXELS } from '#server/cleaning/caps.ts'

/** Options for reading untrusted files: any warning of a decoder counts as damage. */
export const strict: SharpOptions = { failOn: 'warning', limitInputPixels: MAX_TOTAL_PIXELS, sequentialRead: true }

/** Converts a picture with 16 bits per channel to 8 before its colour profile is applied: sharp converts deeper colours
 *  to Display P3 instead of sRGB, and does not convert deeper greys. */
export function in8Bits(image: Sharp, { space }: Pick<Metadata, 'space'>): Sharp {
  if (space === 'rgb16') return image.pipelineColourspace('srgb')
  return space === 'grey16' ? image.pipelineColourspace('b-w') : image
}
