import type { Viewer } from '#server/accounts/viewer.ts'
import { isOwn, mayRead } from './access.ts'
import type { ImageRow } from './image-row.ts'
import { imageUrl, thumbnailUrl } from './image-url.ts'

/** An image as procedures answer it. To an admin who may not read it, whatever leads to its bytes or says what it shows is null. */
export interface ImageItem {
  readonly id: string
  readonly slug: string | null
  readonly url: string | null
  readonly thumbnailUrl: string | null
  readonly width: number
  readonly height: number
  readonly size: number
  readonly mime: string
  readonly sha256: string | null
  readonly title: string | null
  readonly filename: string | null
  readonly visibility: ImageRow['visibility']
  /** ISO 8601. */
  readonly createdAt: string
  readonly trashedAt: string | null
  readonly owner: { readonly id: string; readonly username: string }
  readonly mine: boolean
}

export function toItem(image: ImageRow, viewer: Viewer | null, origin: string): ImageItem {
  const readable = mayRead(viewer, image)
  return {
    id: image.id,
    slug: readable ? image.slug : null,
    url: readable ? imageUrl(origin, image) : null,
    thumbnailUrl: readable ? thumbnailUrl(origin, image) : null,
    width: image.width,
    height: image.height,
    size: image.size,
    mime: image.mime,
    sha256: readable ? image.sha256 : null,
    title: readable ? image.title : null,
    filename: readable ? image.filename : null,
    visibility: image.visibility,
    createdAt: image.createdAt.toISOString(),
    trashedAt: image.trashedAt?.toISOString() ?? null,
    owner: { id: image.owner.id, username: image.owner.username },
    mine: isOwn(viewer, image),
  }
}
