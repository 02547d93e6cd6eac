import { type ObjectKey, originalKey, variantKey } from '#server/storage/object-store.ts'
import { extensionOf, formats } from './format.ts'
import type { ImageRow } from './image-row.ts'
import { downloadName } from './names.ts'
import { type VariantWidth, variantWidths } from './variant.ts'

/** One of the forms in which an image can be sent. */
export interface Representation {
  readonly key: ObjectKey
  readonly mime: string
  readonly etag: string
  /** The name it is saved under. */
  readonly filename: string
  /** Known of an original; a variant's is the store's to tell. */
  readonly size: number | null
}

/** What serves a request for `width`, best first: an image whose variant is missing is shown larger or whole, never smaller. */
export function representationsOf(image: ImageRow, width: VariantWidth | null): Representation[] {
  const original: Representation = {
    key: originalKey(image.sha256),
    mime: image.mime,
    etag: `"${image.sha256}"`,
    filename: downloadName(image.filename, image.mime),
    size: image.size,
  }
  if (width === null) return [original]
  const wideEnough = variantWidths.filter((each) => each >= width)
  return [...wideEnough.map((each) => variantOf(image, each)), original]
}

function variantOf(image: ImageRow, width: VariantWidth): Representation {
  const stem = image.filename.replace(new RegExp(`\\.(?:jpe?g|${extensionOf(image.mime)})$`, 'i'), '')
  const { mime } = formats.webp
  return {
    key: variantKey(image.sha256, width),
    mime,
    etag: `"${image.sha256}-w${width}"`,
    filename: downloadName(stem, mime),
    size: null,
  }
}
