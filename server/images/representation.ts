import { type ObjectKey, originalKey, variantKey } from '#server/storage/object-store.ts'
import { extensionOf, formats } from './format.ts'
import type { ImageRow } from './image-row.ts'
import { downloadName } from './names.ts'
import { parseVariants, type StoredVariant } from './stored-variants.ts'
import { type VariantWidth, widthsFor } from './variant.ts'

/** One of the forms in which an image can be sent. */
export interface Representation {
  readonly key: ObjectKey
  readonly mime: string
  readonly etag: string
  /** Bytes. */
  readonly size: number
  /** The name it is saved under. */
  readonly filename: string
}

/**
 * What serves a request for `width`: that variant, or the largest there is of a picture that is smaller. The original when
 * none is asked for, and when it is no more bytes than the variant would be, which was left out then.
 */
export function representationOf(image: ImageRow, width: VariantWidth | null): Representation {
  const variant = width === null ? undefined : variantFor(image, width)
  return variant ? variantOf(image, variant) : originalOf(image)
}

function variantFor(image: ImageRow, width: VariantWidth): StoredVariant | undefined {
  const made = widthsFor(image)
  const wanted = made.find((each) => each >= width) ?? made.at(-1)
  return parseVariants(image.object.variants).find((variant) => variant.width === wanted)
}

const originalOf = (image: ImageRow): Representation => ({
  key: originalKey(image.sha256),
  mime: image.mime,
  etag: `"${image.sha256}"`,
  size: image.size,
  filename: downloadName(image.filename, image.mime),
})

function variantOf(image: ImageRow, { width, size, sha256 }: StoredVariant): Representation {
  const stem = image.filename.replace(new RegExp(`\\.(?:jpe?g|${extensionOf(image.mime)})$`, 'i'), '')
  const { mime } = formats.webp
  return {
    key: variantKey(image.sha256, width, sha256),
    mime,
    etag: `"${sha256}"`,
    size,
    filename: downloadName(stem, mime),
  }
}
