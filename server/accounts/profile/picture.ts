import { hash } from 'node:crypto'
import type { PrismaClient, Transaction } from '#server/database/database.ts'

/** The largest file that is received for a picture. */
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024

const ADDRESS = /^\/p\/([0-9a-f]{64})\.webp(?:\?|$)/

/** Returns the address of a picture on this site, or null without one. */
export const picturePath = (pictureHash: string | null): string | null => pictureHash && `/p/${pictureHash}.webp`

/** Returns the hash in the address of a picture; null for any other address. */
export const readPicturePath = (url: string): string | null => ADDRESS.exec(url)?.[1] ?? null

/** Reads a picture by its hash, unless its owner is banned. */
export async function findPicture(db: PrismaClient, pictureHash: string): Promise<Uint8Array | null> {
  const where = { hash: pictureHash, user: { bannedAt: null } }
  return (await db.userPicture.findUnique({ where, select: { bytes: true } }))?.bytes ?? null
}

/** Replaces or, with null, removes the picture of an account whose row is locked. Returns the hash before and after. */
export async function replacePicture(tx: Transaction, userId: string, bytes: Uint8Array<ArrayBuffer> | null) {
  const { pictureHash: before } = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: { pictureHash: true },
  })
  const after = bytes && hash('sha256', Buffer.concat([Buffer.from(userId), bytes]))
  await tx.userPicture.deleteMany({ where: { userId } })
  if (bytes && after !== null)
    await tx.userPicture.create({ data: { userId, hash: after, bytes }, select: { userId: true } })
  await tx.user.update({ where: { id: userId }, data: { pictureHash: after }, select: { id: true } })
  return { before, after }
}
