import { extensionOf } from './format.ts'
import { variantWidths } from './variant.ts'

interface Addressed {
  readonly slug: string
  readonly mime: string
}

/** Where an image's bytes are read. */
export const imageUrl = (origin: string, { slug, mime }: Addressed): string =>
  `${origin}/i/${slug}.${extensionOf(mime)}`

export const thumbnailUrl = (origin: string, image: Addressed): string =>
  `${imageUrl(origin, image)}?w=${variantWidths[0]}`
