import type { Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { type ObjectKey, originalKey, variantKey } from '#server/storage/object-store.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { knowsNames, type Protected } from './access.ts'
import { chooseExtension, formats } from './format.ts'
import { downloadName, portableName } from './names.ts'
import { areAwaited, parseVariants, type StoredVariant, type VariantColumns } from './storing/stored-variants.ts'
import { type VariantWidth, widthsFor } from './variant.ts'

/**
 * The columns needed to send an image. All are in one table, so that a hidden image costs the database the same as a
 * missing one.
 */
export const sentColumns = {
  id: true,
  ownerId: true,
  sha256: true,
  mime: true,
  width: true,
  height: true,
  size: true,
  filename: true,
  title: true,
  visibility: true,
  awaitsApproval: true,
  createdAt: true,
  replacedAt: true,
  trashedAt: true,
} as const satisfies Prisma.ImageSelect

export type SentImage = Prisma.ImageGetPayload<{ select: typeof sentColumns }>

/** Returns an image under the file name that a viewer may know: its title, for strangers. */
export function namedFor<Named extends Protected & Pick<SentImage, 'filename' | 'title' | 'mime'>>(
  viewer: Viewer | null,
  image: Named,
): Named {
  return knowsNames(viewer, image) ? image : { ...image, filename: portableName(image.title, image.mime) }
}

/** The original or a variant, as it is sent. */
export interface Representation {
  readonly key: ObjectKey
  readonly mime: string
  readonly etag: string
  /** Bytes. */
  readonly size: number
  readonly storedAt: Date
  /** The file name for saving it. */
  readonly filename: string
  /** A smaller variant in place of the requested one, which is not made yet. */
  readonly standsIn: boolean
}

const variantColumns = { variants: true, variantsDue: true, variantsReserved: true } as const

/**
 * Returns the representation for a requested `width`: that variant, or the largest one of a smaller picture. The original
 * for a null width, and where a variant was left out because it would have been no fewer bytes; the next smaller one where it is
 * not made yet. Null if the image has just been purged.
 */
export async function findRepresentation(
  db: PrismaClient,
  image: SentImage,
  width: VariantWidth | null,
): Promise<Representation | null> {
  if (width === null) return toOriginal(image)
  const object = await db.storedObject.findUnique({ where: { sha256: image.sha256 }, select: variantColumns })
  return object && chooseRepresentation(image, object, width)
}

/** The same for guests and several images at once, by slug and width; null for a slug without an image. */
export async function findSent(
  db: PrismaClient,
  asked: readonly { readonly slug: string; readonly width: VariantWidth | null }[],
): Promise<readonly ({ readonly image: SentImage; readonly representation: Representation } | null)[]> {
  const slug = { in: [...new Set(asked.map((each) => each.slug))] }
  const select = { ...sentColumns, slug: true, object: { select: variantColumns } } as const
  const rows = await db.image.findMany({ where: { slug }, select })
  const bySlug = new Map(rows.map((row) => [row.slug, row]))
  return asked.map(({ slug, width }) => {
    const row = bySlug.get(slug)
    if (!row) return null
    const { object, slug: _, ...stored } = row
    const image = namedFor(null, stored)
    const representation = width === null ? toOriginal(image) : chooseRepresentation(image, object, width)
    return { image, representation }
  })
}

function chooseRepresentation(image: SentImage, object: VariantColumns, width: VariantWidth): Representation {
  const made = widthsFor(image)
  const wanted = made.find((each) => each >= width) ?? made.at(-1)
  const variants = parseVariants(object.variants)
  const variant = variants.find((each) => each.width === wanted)
  if (variant) return toVariant(image, variant)
  const largest = areAwaited(object) ? variants.at(-1) : undefined
  return largest ? { ...toVariant(image, largest), standsIn: true } : toOriginal(image)
}

const toOriginal = (image: SentImage): Representation => ({
  key: originalKey(image.sha256),
  mime: image.mime,
  etag: `"${image.sha256}"`,
  size: image.size,
  storedAt: image.replacedAt ?? image.createdAt,
  filename: downloadName(image.filename, image.mime),
  standsIn: false,
})

function toVariant(image: SentImage, { width, size, sha256 }: StoredVariant): Representation {
  const stem = image.filename.replace(new RegExp(`\\.(?:jpe?g|${chooseExtension(image.mime)})$`, 'i'), '')
  const { mime } = formats.webp
  return {
    key: variantKey(image.sha256, width, sha256),
    mime,
    etag: `"${sha256}"`,
    size,
    storedAt: image.replacedAt ?? image.createdAt,
    filename: downloadName(stem, mime),
    standsIn: false,
  }
}
