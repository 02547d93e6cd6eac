import type { PrismaClient } from '#server/database/database.ts'
import { type ObjectKey, originalKey, variantKey } from '#server/storage/object-store.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { extensionOf, formats } from './format.ts'
import { downloadName } from './names.ts'
import { parseVariants, type StoredVariant } from './storing/stored-variants.ts'
import { type VariantWidth, widthsFor } from './variant.ts'

/** What is read of an image to send it: of one table, so that a hidden image takes the database as long as a missing one. */
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
  trashedAt: true,
} as const satisfies Prisma.ImageSelect

export type SentImage = Prisma.ImageGetPayload<{ select: typeof sentColumns }>

/** One of the forms in which an image can be sent. */
export interface Representation {
  readonly key: ObjectKey
  readonly mime: string
  readonly etag: string
  /** Bytes. */
  readonly size: number
  readonly storedAt: Date
  /** The name it is saved under. */
  readonly filename: string
}

/**
 * What serves a request for `width`: that variant, or the largest there is of a picture that is smaller. The original when
 * none is asked for, and when it is no more bytes than the variant would be, which was left out then. Null when the image
 * has just been purged.
 */
export async function representationOf(
  db: PrismaClient,
  image: SentImage,
  width: VariantWidth | null,
): Promise<Representation | null> {
  if (width === null) return originalOf(image)
  const object = await db.storedObject.findUnique({ where: { sha256: image.sha256 }, select: { variants: true } })
  return object && chooseRepresentation(image, parseVariants(object.variants), width)
}

/** The same for several images at once, by their addresses; null where there is no such image. */
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
      width === null ? originalOf(image) : chooseRepresentation(image, parseVariants(object.variants), width)
    return { image, representation }
  })
}

/** The same, of an image whose variants are known. */
function chooseRepresentation(
  image: SentImage,
  variants: readonly StoredVariant[],
  width: VariantWidth,
): Representation {
  const made = widthsFor(image)
  const wanted = made.find((each) => each >= width) ?? made.at(-1)
  const variant = variants.find((each) => each.width === wanted)
  return variant ? variantOf(image, variant) : originalOf(image)
}

const originalOf = (image: SentImage): Representation => ({
  key: originalKey(image.sha256),
  mime: image.mime,
  etag: `"${image.sha256}"`,
  size: image.size,
  storedAt: image.createdAt,
  filename: downloadName(image.filename, image.mime),
})

function variantOf(image: SentImage, { width, size, sha256 }: StoredVariant): Representation {
  const stem = image.filename.replace(new RegExp(`\\.(?:jpe?g|${extensionOf(image.mime)})$`, 'i'), '')
  const { mime } = formats.webp
  return {
    key: variantKey(image.sha256, width, sha256),
    mime,
    etag: `"${sha256}"`,
    size,
    storedAt: image.createdAt,
    filename: downloadName(stem, mime),
  }
}
