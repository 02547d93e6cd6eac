import { chooseExtension } from '#server/images/format.ts'
import type { VariantItem } from '#server/images/image-item.ts'
import { areAwaited, parseVariants } from '#server/images/storing/stored-variants.ts'
import { sizeWithin, type VariantWidth, variantBox, variantWidths } from '#server/images/variant.ts'
import type { ShareKeys } from './share-keys.ts'
import type { ShareRow } from './share-row.ts'
import { MAX_TOGETHER, type SharedRow } from './shared-images.ts'

/** An image as guests of a share see it. Nothing in it leads to the image by another way than the share. */
export interface SharedImage {
  /** The original if the share has originals, else the largest variant. */
  readonly url: string
  /** Null without originals. */
  readonly originalUrl: string | null
  readonly thumbnailUrl: string
  /** The smallest first; none of a picture that is too small for any. */
  readonly variants: VariantItem[]
  /** Larger variants follow shortly. */
  readonly variantsAwaited: boolean
  readonly placeholder: string | null
  readonly width: number
  readonly height: number
  /** Bytes of the original. */
  readonly size: number
  readonly mime: string
  /** More than 1 for an animation. */
  readonly frames: number
  /** Null where the share shows no titles. */
  readonly title: string | null
  readonly description: string | null
}

interface Site {
  readonly origin: string
  readonly keys: ShareKeys
}

export function toShared({ origin, keys }: Site, share: ShareRow, image: SharedRow): SharedImage {
  const { width, height, size, mime } = image
  const { placeholder, frames } = image.object
  const base = `${byteBase(origin, keys, share)}/${keys.nameFor(share.id, image.id)}.${chooseExtension(mime)}`
  const variantUrl = (wanted: VariantWidth) => `${base}?w=${wanted}`
  const originalUrl = share.originals ? base : null
  return {
    url: originalUrl ?? variantUrl(variantWidths[2]),
    originalUrl,
    thumbnailUrl: variantUrl(variantWidths[0]),
    variants: parseVariants(image.object.variants).map((variant) => {
      const size = sizeWithin(image, variantBox(variant.width))
      return { url: variantUrl(variant.width), ...size, moves: variant.frames > 1 }
    }),
    variantsAwaited: areAwaited(image.object),
    ...{ placeholder, width, height, size, mime, frames },
    title: share.showsTitles ? image.title : null,
    description: share.showsTitles ? image.description : null,
  }
}

/** Returns the addresses of zips of all originals, in parts; none without originals. */
export function zipUrls({ origin, keys }: Site, share: ShareRow, images: number): readonly string[] {
  if (!share.originals) return []
  const parts = Math.ceil(images / MAX_TOGETHER)
  const base = `${byteBase(origin, keys, share)}/zip`
  return Array.from({ length: parts }, (_, part) => (part === 0 ? base : `${base}?part=${part + 1}`))
}

const byteBase = (origin: string, keys: ShareKeys, { id }: ShareRow): string => `${origin}/i/s/${keys.keyFor(id)}`
