import { picturePath } from '#server/accounts/profile/picture.ts'
import type { Viewer } from '#server/accounts/viewer.ts'
import type { Config } from '#server/config.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Site } from '#server/site/site.ts'
import { isOwn, knowsNames, mayRead } from './access.ts'
import { type Filing, readFiling } from './filing.ts'
import type { ImageRow } from './image-row.ts'
import { imageUrl, thumbnailUrl, variantUrl } from './image-url.ts'
import { purgeTime } from './maintenance/trash-purge.ts'
import { areAwaited, parseVariants } from './storing/stored-variants.ts'
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
  /** Whether larger ones are still being made, seconds after the upload. Their addresses give a smaller one until then. */
  readonly variantsAwaited: boolean
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
  /** The name of the uploaded file, for its owner and admins alone. */
  readonly filename: string | null
  /** Plain text of several lines; '' without one. */
  readonly description: string | null
  /** The owner's tags, in the order of their names. */
  readonly tags: readonly string[] | null
  /** Whether the viewer has marked it. */
  readonly favourite: boolean
  readonly visibility: ImageRow['visibility']
  /** When and with what it was taken, if its owner keeps that: the camera's clock as ISO 8601 in UTC, whatever its time zone. */
  readonly takenAt: string | null
  readonly camera: string | null
  /** It was converted from a HEIC. */
  readonly isConverted?: true
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

interface Source {
  readonly config: Pick<Config, 'origin'>
  readonly site: Pick<Site, 'read'>
  /** The transaction, if the rows are of one. */
  readonly db: Pick<Transaction, '$queryRaw'>
}

/** Returns rows as a viewer may see them, in their order. */
export async function toItems(
  images: readonly ImageRow[],
  viewer: Viewer | null,
  source: Source,
): Promise<ImageItem[]> {
  const readable = images.filter((image) => mayRead(viewer, image)).map(({ id }) => id)
  const filing = await readFiling(source.db, readable, viewer)
  return images.map((image) => describeImage(image, filing.get(image.id) ?? null, viewer, source))
}

export async function toItem(image: ImageRow, viewer: Viewer | null, source: Source): Promise<ImageItem> {
  const filing = mayRead(viewer, image) ? await readFiling(source.db, [image.id], viewer) : null
  return describeImage(image, filing?.get(image.id) ?? null, viewer, source)
}

function describeImage(
  image: ImageRow,
  filing: Filing | null,
  viewer: Viewer | null,
  { config: { origin }, site }: Source,
): ImageItem {
  const readable = mayRead(viewer, image)
  return {
    id: image.id,
    slug: readable ? image.slug : null,
    url: readable ? imageUrl(origin, image) : null,
    thumbnailUrl: readable ? thumbnailUrl(origin, image) : null,
    variants: readable ? listVariants(image, origin) : null,
    variantsAwaited: readable && areAwaited(image.object),
    placeholder: readable ? image.object.placeholder : null,
    width: image.width,
    height: image.height,
    size: image.size,
    mime: image.mime,
    frames: image.object.frames,
    sha256: readable ? image.sha256 : null,
    title: readable ? image.title : null,
    filename: readable && knowsNames(viewer, image) ? image.filename : null,
    description: readable ? image.description : null,
    tags: readable ? (filing?.tags ?? []) : null,
    favourite: filing?.favourite ?? false,
    visibility: image.visibility,
    takenAt: readable ? (image.takenAt?.toISOString() ?? null) : null,
    camera: readable ? image.camera : null,
    ...(readable && image.uploadSha256 !== null && { isConverted: true as const }),
    createdAt: image.createdAt.toISOString(),
    trashedAt: image.trashedAt?.toISOString() ?? null,
    purgeAt: purgeTime(image.trashedAt, site.read().trashDays)?.toISOString() ?? null,
    owner: toOwner(image, viewer),
    mine: isOwn(viewer, image),
  }
}

function toOwner(image: ImageRow, viewer: Viewer | null): ImageOwner {
  const { id, displayName: name, pictureHash, username } = image.owner
  return { id, name, picture: picturePath(pictureHash), username: knowsNames(viewer, image) ? username : null }
}

export function listVariants(image: ImageRow, origin: string): VariantItem[] {
  return parseVariants(image.object.variants).map(({ width, frames }) => ({
    url: variantUrl(origin, image, width),
    ...sizeWithin(image, variantBox(width)),
    moves: frames > 1,
  }))
}
