import type { PrismaClient, Transaction } from '#server/database/database.ts'

/** The most tokens that an account has, those that have expired included. */
export const MOST_TOKENS = 50

/** Voids one token of a user. Answers whether there was one. */
export async function endToken(db: PrismaClient, userId: string, id: string): Promise<boolean> {
  const { count } = await db.apiToken.deleteMany({ where: { id, userId } })
  return count > 0
}

/** Voids every token of a user, every link that deletes an image of theirs, and every invite that they made: whoever takes an
 *  account out of other hands leaves no key behind. */
export async function endKeys(tx: Transaction, userId: string): Promise<void> {
  await tx.apiToken.deleteMany({ where: { userId } })
  await tx.deletionLink.deleteMany({ where: { image: { ownerId: userId } } })
  await endInvites(tx, userId)
}

/** Voids every invite that a user made: they may invite nobody any more. */
export async function endInvites(tx: Transaction, userId: string): Promise<void> {
  await tx.invite.deleteMany({ where: { createdById: userId } })
}
