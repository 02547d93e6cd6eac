import { randomBytes } from 'node:crypto'
import { tagKey } from '#server/images/tag-name.ts'
import type { TestApp } from '../sluice/sluice-app.ts'

/** An image as tests of lists insert it. */
export interface ListedImage {
  readonly title?: string
  readonly description?: string
  readonly filename?: string
  readonly tags?: readonly string[]
  readonly albums?: readonly string[]
  readonly mime?: string
  readonly width?: number
  readonly height?: number
  readonly size?: number
  readonly frames?: number
  readonly visibility?: 'private' | 'link' | 'public'
  readonly createdAt?: Date
  readonly takenAt?: Date | null
  readonly trashedAt?: Date | null
}

/** Inserts images without bytes, with their tags and albums, and returns their IDs. */
export async function insertListed(
  { app: { db } }: TestApp,
  ownerId: string,
  images: readonly ListedImage[],
): Promise<string[]> {
  const ids: string[] = []
  for (const { tags = [], albums = [], frames = 1, ...image } of images) {
    const sha256 = randomBytes(32).toString('hex')
    const slug = randomBytes(16).toString('base64url')
    await db.storedObject.create({ data: { sha256, size: 1, frames } })
    const own = { mime: 'image/png', width: 4, height: 3, size: 1, filename: 'a.png', title: 'a', ...image }
    const { id } = await db.image.create({ data: { ownerId, sha256, slug, ...own }, select: { id: true } })
    for (const name of tags) {
      const key = { ownerId, nameKey: tagKey(name) }
      const tag = await db.tag.upsert({ where: { ownerId_nameKey: key }, create: { ...key, name }, update: {} })
      await db.imageTag.create({ data: { tagId: tag.id, imageId: id } })
    }
    for (const title of albums) {
      const found = await db.album.findFirst({ where: { ownerId, title } })
      const album =
        found ?? (await db.album.create({ data: { ownerId, title, slug: randomBytes(16).toString('base64url') } }))
      await db.albumImage.create({ data: { albumId: album.id, imageId: id, rank: `${ids.length}`.padStart(4, '0') } })
    }
    ids.push(id)
  }
  return ids
}
