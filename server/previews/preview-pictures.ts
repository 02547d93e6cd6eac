import type { ImageItem, VariantItem } from '#server/images/image-item.ts'
import { sizeWithin, variantBox, variantWidths } from '#server/images/variant.ts'

/** A picture that a preview may show, in pixels. */
export interface PreviewPicture {
  readonly url: string
  readonly width: number
  readonly height: number
  readonly mime: string
}

interface Pictured extends Pick<ImageItem, 'variantsAwaited' | 'width' | 'height' | 'mime'> {
  /** Of the original or of a variant. */
  readonly url: string
  readonly variants: readonly VariantItem[]
}

/** Returns the variants of an image, the smallest first; of one that is too small for any, its stored bytes at the address of a
 *  variant. The original of an image that has variants is never among them. */
export function listPictures({ url, variants, variantsAwaited, width, height, mime }: Pictured): PreviewPicture[] {
  const made = variants.map((variant) => {
    return { url: variant.url, width: variant.width, height: variant.height, mime: 'image/webp' }
  })
  if (made.length > 0 && !variantsAwaited) return made
  const largest = variantWidths[2]
  const size = variantsAwaited ? sizeWithin({ width, height }, variantBox(largest)) : { width, height }
  return [
    ...made,
    { url: `${url.replace(/\?.*/, '')}?w=${largest}`, ...size, mime: made.length > 0 ? 'image/webp' : mime },
  ]
}
