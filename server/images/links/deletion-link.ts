import { hash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'

/*
 * A deletion link lets anyone who has it move an image to the trash. Nothing is deleted by a GET: the link opens a page that
 * asks for confirmation.
 */

const RANDOM_BYTES = 32
const found = z.array(z.unknown())

/** The maximum number of links per image; a further one replaces the oldest. */
export const MAX_LINKS = 20

/** Returns the URL of the page that asks for confirmation. */
export const deletionUrl = (origin: string, link: string): string => `${origin}/delete/${link}`

/**
 * Returns the SHA-256 of a link in hex, which is all that is stored. Malformed links are hashed and looked up like all
 * others, so that they are indistinguishable.
 */
export const hashLink = (link: string): string => hash('sha256', link)

/** Creates a deletion link of 256 random bits in base64url for an image uploaded with a token. Returns null if the image has
 *  been deleted or the token revoked in the meantime. */
export function makeDeletionLink(db: PrismaClient, imageId: string, tokenId: string): Promise<string | null> {
  return transact(db, async (tx) => {
    // Serializes calls, so that the maximum holds.
    const locked = await tx.$queryRaw`SELECT 1 FROM "Image" WHERE "id" = ${imageId}::uuid FOR NO KEY UPDATE`
    if (found.parse(locked).length === 0) return null
    // After the image, in the lock order of deleting an account. A concurrent revocation waits, and then deletes this link too.
    const locking = await tx.$queryRaw`SELECT 1 FROM "ApiToken" WHERE "id" = ${tokenId}::uuid FOR KEY SHARE`
    if (found.parse(locking).length === 0) return null
    const older = await tx.deletionLink.findMany({
      where: { imageId },
      orderBy: [{ createdAt: 'desc' }, { linkHash: 'desc' }],
      skip: MAX_LINKS - 1,
      select: { linkHash: true },
    })
    if (older.length > 0) {
      await tx.deletionLink.deleteMany({ where: { linkHash: { in: older.map(({ linkHash }) => linkHash) } } })
    }
    return addDeletionLink(tx, imageId)
  })
}

/** Creates a deletion link for an image that the transaction has locked or inserted. */
export async function addDeletionLink(tx: Transaction, imageId: string): Promise<string> {
  const link = randomBytes(RANDOM_BYTES).toString('base64url')
  await tx.deletionLink.create({ data: { linkHash: hashLink(link), imageId }, select: { linkHash: true } })
  return link
}
