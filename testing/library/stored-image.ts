import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CLEANING_VERSION } from '#server/cleaning/cleaning.ts'
import { type Format, formats } from '#server/images/format.ts'
import { newSlug } from '#server/images/slug.ts'
import type { StoredVariant } from '#server/images/storing/stored-variants.ts'
import type { VariantWidth } from '#server/images/variant.ts'
import { type ObjectKey, originalKey, variantKey } from '#server/storage/object-store.ts'
import type { Person, TestApp } from '../sluice/sluice-app.ts'

export interface StoredImageOptions {
  readonly bytes?: Buffer
  readonly variants?: Readonly<Partial<Record<VariantWidth, Buffer>>>
  readonly format?: Format
  readonly filename?: string
  readonly title?: string
  readonly visibility?: 'private' | 'link' | 'public'
  readonly trashed?: boolean
  readonly placeholder?: string
  readonly createdAt?: Date
}

export interface StoredImage {
  readonly id: string
  readonly slug: string
  readonly sha256: string
  readonly url: string
  readonly bytes: Buffer
}

const hashBytes = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Inserts an image with its bytes directly into the store and the database, without decoding, so any bytes will do. */
export async function storeImageFor(
  { app, origin, dataDir }: TestApp,
  owner: Person,
  options: StoredImageOptions = {},
): Promise<StoredImage> {
  const { bytes = randomBytes(1_000), format = 'png', visibility = 'link', filename = 'photo.png' } = options
  const put = async (key: ObjectKey, content: Buffer) => {
    const path = join(dataDir, randomBytes(8).toString('hex'))
    await writeFile(path, content)
    await app.images.store.put(key, { path }, content.length)
  }
  const sha256 = hashBytes(bytes)
  await put(originalKey(sha256), bytes)
  const variants: StoredVariant[] = []
  for (const width of [400, 800, 1600] as const) {
    const content = options.variants?.[width]
    if (!content) continue
    await put(variantKey(sha256, width, hashBytes(content)), content)
    variants.push({ width, size: content.length, sha256: hashBytes(content), frames: 1 })
  }
  const { placeholder = null } = options
  await app.db.storedObject.create({
    data: { sha256, size: bytes.length, variants, placeholder, cleaning: CLEANING_VERSION },
  })
  const { mime, extension } = formats[format]
  const data = {
    ...{ ownerId: owner.viewer.userId, sha256, slug: newSlug(), mime, width: 3_000, height: 2_000 },
    ...{ size: bytes.length, filename, title: options.title ?? 'photo', visibility },
    ...{ trashedAt: options.trashed ? new Date() : null, createdAt: options.createdAt ?? new Date() },
  }
  const { id, slug } = await app.db.image.create({ data, select: { id: true, slug: true } })
  return { id, slug, sha256, url: `${origin}/i/${slug}.${extension}`, bytes }
}
