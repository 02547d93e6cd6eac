import { hash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'

const RANDOM_BYTES = 32
const found = z.array(z.unknown())

/** Links that an image has; a further one ends the oldest. */
export const LINKS_KEPT = 20

/** Where whoever has the link is asked whether the image is to be deleted. */
export const deletionUrl = (origin: string, link: string): string => `${origin}/delete/${link}`

/** What is kept of a link: its SHA-256 in hex. Any text has one, so that none is told apart before the database is asked. */
export const linkHashOf = (link: string): string => hash('sha256', link)

/** A new link that deletes an image, of 256 random bits in base64url, for whoever came by a token; null when the image has
 *  gone meanwhile, or the token has ended. */
export async function makeDeletionLink(db: PrismaClient, imageId: string, tokenId: string): Promise<string | null> {
  const link = randomBytes(RANDOM_BYTES).toString('base64url')
  return transact(db, async (tx) => {
    // One link after the other, so that none is left over.
    const locked = await tx.$queryRaw`SELECT 1 FROM "Image" WHERE "id" = ${imageId}::uuid FOR NO KEY UPDATE`
    if (found.parse(locked).length === 0) return null
    // Behind the image, as where an account is deleted. Whoever voids the token waits, and ends the link with the others.
    const held = await tx.$queryRaw`SELECT 1 FROM "ApiToken" WHERE "id" = ${tokenId}::uuid FOR KEY SHARE`
    if (found.parse(held).length === 0) return null
    const older = await tx.deletionLink.findMany({
      where: { imageId },
      orderBy: [{ createdAt: 'desc' }, { linkHash: 'desc' }],
      skip: LINKS_KEPT - 1,
      select: { linkHash: true },
    })
    if (older.length > 0) {
      await tx.deletionLink.deleteMany({ where: { linkHash: { in: older.map(({ linkHash }) => linkHash) } } })
    }
    await tx.deletionLink.create({ data: { linkHash: linkHashOf(link), imageId }, select: { linkHash: true } })
    return link
  })
}
