import type { PrismaClient } from '#server/database/database.ts'
import { type ObjectKey, originalKey, variantKey } from '#server/storage/object-store.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { chooseExtension, formats } from './format.ts'
import { downloadName } from './names.ts'
import { parseVariants, type StoredVariant } from './storing/stored-variants.ts'
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
  visibility: true,
  createdAt: true,
  replacedAt: true,
  trashedAt: true,
} as const satisfies Prisma.ImageSelect

export type SentImage = Prisma.ImageGetPayload<{ select: typeof sentColumns }>

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
}

/**
 * Returns the representation for a requested `width`: that variant, or the largest one of a smaller picture. The original
 * for a null width, and where a variant was left out because it would have been no fewer bytes. Null if the image has just
 * been purged.
 */
export async function findRepresentation(
  db: PrismaClient,
  image: SentImage,
  width: VariantWidth | null,
): Promise<Representation | null> {
  if (width === null) return toOriginal(image)
  const object = await db.storedObject.findUnique({ where: { sha256: image.sha256 }, select: { variants: true } })
  return object && chooseRepresentation(image, parseVariants(object.variants), width)
}

/** The same for several images at once, by slug and width; null for a slug without an image. */
export async function findSent(
  db: PrismaClient,
  asked: readonly { readonly slug: string; readonly width: VariantWidth | null }[],
): Promise<readonly ({ readonly image: SentImage; readonly representation: Representation } | null)[]> {
  const slug = { in: [...new Set(asked.map((each) => each.slug))] }
  const select = { ...sentColumns, slug: true, object: { select: { variants: true } } } as const
  const rows = await db.image.findMany({ where: { slug }, select })
  const bySlug = new Map(rows.map((row) => [row.slug, row]))
  return asked.map(({ slug, width }) => {
    const row = bySlug.get(slug)
    if (!row) return null
    const { object, slug: _, ...image } = row
    const representation =
      width === null ? toOriginal(image) : chooseRepresentation(image, parseVariants(object.variants), width)
    return { image, representation }
  })
}

function chooseRepresentation(
  image: SentImage,
  variants: readonly StoredVariant[],
  width: VariantWidth,
): Representation {
  const made = widthsFor(image)
  const wanted = made.find((each) => each >= width) ?? made.at(-1)
  const variant = variants.find((each) => each.width === wanted)
  return variant ? toVariant(image, variant) : toOriginal(image)
}

const toOriginal = (image: SentImage): Representation => ({
  key: originalKey(image.sha256),
  mime: image.mime,
  etag: `"${image.sha256}"`,
  size: image.size,
  storedAt: image.replacedAt ?? image.createdAt,
  filename: downloadName(image.filename, image.mime),
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
  }
}
