import { picturePath } from '#server/accounts/profile/picture.ts'
import { isAdmin, type Viewer } from '#server/accounts/viewer.ts'
import type { Config } from '#server/config.ts'
import type { Site } from '#server/site/site.ts'
import { isOwn, mayRead } from './access.ts'
import type { ImageRow } from './image-row.ts'
import { imageUrl, thumbnailUrl, variantUrl } from './image-url.ts'
import { purgeTime } from './maintenance/trash-purge.ts'
import { parseVariants } from './storing/stored-variants.ts'
import { sizeWithin, variantBox } from './variant.ts'

/** An image as procedures return it. For an admin who may not read it, everything that leads to its bytes or describes its
 *  content is null. */
export interface ImageItem {
  readonly id: string
  readonly slug: string | null
  readonly url: string | null
  readonly thumbnailUrl: string | null
  /** The smallest first. */
  readonly variants: VariantItem[] | null
  /** A ThumbHash in base64, shown until the image has loaded. */
  readonly placeholder: string | null
  readonly width: number
  readonly height: number
  readonly size: number
  readonly mime: string
  /** More than 1 for an animation. */
  readonly frames: number
  readonly sha256: string | null
  readonly title: string | null
  readonly filename: string | null
  readonly visibility: ImageRow['visibility']
  /** ISO 8601. */
  readonly createdAt: string
  readonly trashedAt: string | null
  /** When maintenance will purge an image in the trash; null if it will not. */
  readonly purgeAt: string | null
  readonly owner: ImageOwner
  readonly mine: boolean
}

/** The owner as the viewer may see them. */
export interface ImageOwner {
  readonly id: string
  /** The display name; null for an owner without one. */
  readonly name: string | null
  /** The path of their picture; null without one. */
  readonly picture: string | null
  /** The name for signing in, for admins and the owner alone. */
  readonly username: string | null
}

/** A variant with its URL and its size in pixels. */
export interface VariantItem {
  readonly url: string
  readonly width: number
  readonly height: number
  /** False for a still image, also as the variant of an animation. */
  readonly moves: boolean
}

export function toItem(
  image: ImageRow,
  viewer: Viewer | null,
  { config: { origin }, site }: { readonly config: Pick<Config, 'origin'>; readonly site: Pick<Site, 'read'> },
): ImageItem {
  const readable = mayRead(viewer, image)
  return {
    id: image.id,
    slug: readable ? image.slug : null,
    url: readable ? imageUrl(origin, image) : null,
    thumbnailUrl: readable ? thumbnailUrl(origin, image) : null,
    variants: readable ? listVariants(image, origin) : null,
    placeholder: readable ? image.object.placeholder : null,
    width: image.width,
    height: image.height,
    size: image.size,
    mime: image.mime,
    frames: image.object.frames,
    sha256: readable ? image.sha256 : null,
    title: readable ? image.title : null,
    filename: readable ? image.filename : null,
    visibility: image.visibility,
    createdAt: image.createdAt.toISOString(),
    trashedAt: image.trashedAt?.toISOString() ?? null,
    purgeAt: purgeTime(image.trashedAt, site.read().trashDays)?.toISOString() ?? null,
    owner: toOwner(image, viewer),
    mine: isOwn(viewer, image),
  }
}

function toOwner(image: ImageRow, viewer: Viewer | null): ImageOwner {
  const { id, displayName: name, pictureHash, username } = image.owner
  const mayIdentify = isOwn(viewer, image) || isAdmin(viewer)
  return { id, name, picture: picturePath(pictureHash), username: mayIdentify ? username : null }
}

function listVariants(image: ImageRow, origin: string): VariantItem[] {
  return parseVariants(image.object.variants).map(({ width, frames }) => ({
    url: variantUrl(origin, image, width),
    ...sizeWithin(image, variantBox(width)),
    moves: frames > 1,
  }))
}
