import { randomBytes } from 'node:crypto'
import { CLEANING_VERSION } from '#server/cleaning/cleaning.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'

/** Inserts an image's rows without bytes, for tests of who may see or change it. */
export async function insertBareImage(
  db: PrismaClient | Transaction,
  ownerId: string,
  options: { visibility?: 'private' | 'link' | 'public'; trashed?: boolean; title?: string } = {},
): Promise<{ id: string; slug: string; sha256: string }> {
  const sha256 = randomBytes(32).toString('hex')
  await db.storedObject.create({ data: { sha256, size: 1, cleaning: CLEANING_VERSION } })
  return db.image.create({
    data: {
      ownerId,
      sha256,
      slug: randomBytes(16).toString('base64url'),
      mime: 'image/png',
      width: 1,
      height: 1,
      size: 1,
      filename: 'pixel.png',
      title: options.title ?? 'pixel',
      visibility: options.visibility ?? 'link',
      trashedAt: options.trashed ? new Date() : null,
    },
    select: { id: true, slug: true, sha256: true },
  })
}

/** Inserts the rows of as many images at once. Returns their IDs. */
export async function insertBareImages(db: PrismaClient, ownerId: string, count: number): Promise<readonly string[]> {
  const facts = { ownerId, mime: 'image/png', width: 1, height: 1, size: 1, filename: 'pixel.png', title: 'pixel' }
  const data = Array.from({ length: count }, () => ({
    ...{ ...facts, id: crypto.randomUUID(), sha256: randomBytes(32).toString('hex') },
    slug: randomBytes(16).toString('base64url'),
  }))
  await db.storedObject.createMany({ data: data.map(({ sha256 }) => ({ sha256, size: 1 })) })
  await db.image.createMany({ data })
  return data.map(({ id }) => id)
}
