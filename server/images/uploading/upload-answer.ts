import type { Removed } from '#server/cleaning/cleaning.ts'
import type { ImageRow } from '../image-row.ts'
import { imageUrl, thumbnailUrl } from '../image-url.ts'
import type { Visibility } from '../visibility.ts'

/** The response of image.upload. `sha256` is the hash of the stored bytes. */
export interface UploadAnswer {
  readonly id: string
  readonly slug: string
  readonly url: string
  readonly thumbnailUrl: string
  readonly width: number
  readonly height: number
  readonly size: number
  readonly mime: string
  readonly sha256: string
  /** An existing image keeps its visibility, unless the upload requests another. */
  readonly visibility: Visibility
  /** The stored file name. An existing image keeps its own. */
  readonly filename: string
  /** False for an image that its owner already had, in the trash or not. */
  readonly isNew: boolean
  /** What was removed from the file, such as `exif`. The pixels are unchanged, bit for bit, unless the file was converted. */
  readonly removed: readonly Removed[]
  /** The type of the uploaded file, if it was converted to another one; `mime` and `sha256` are those of the result. */
  readonly convertedFrom: 'image/heic' | null
}

/** Returns the response for an image. */
export function uploadAnswer(
  image: ImageRow,
  { isNew, removed, convertedFrom }: Pick<UploadAnswer, 'isNew' | 'removed' | 'convertedFrom'>,
  origin: string,
): UploadAnswer {
  const { id, slug, width, height, size, mime, sha256, visibility, filename } = image
  const urls = { url: imageUrl(origin, image), thumbnailUrl: thumbnailUrl(origin, image) }
  return { id, slug, ...urls, width, height, size, mime, sha256, visibility, filename, isNew, removed, convertedFrom }
}
