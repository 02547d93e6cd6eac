import { chooseExtension } from './format.ts'
import { type VariantWidth, variantWidths } from './variant.ts'

interface Addressed {
  readonly slug: string
  readonly mime: string
}

/** Returns the URL of an image's original. */
export const imageUrl = (origin: string, { slug, mime }: Addressed): string =>
  `${origin}/i/${slug}.${chooseExtension(mime)}`

export const variantUrl = (origin: string, image: Addressed, width: VariantWidth): string =>
  `${imageUrl(origin, image)}?w=${width}`

export const thumbnailUrl = (origin: string, image: Addressed): string => variantUrl(origin, image, variantWidths[0])
