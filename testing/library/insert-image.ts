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
