import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { revokeLinksFor, revokeLinksFrom } from '../links/one-time-link.ts'

/** The maximum of tokens per account, including expired ones. */
export const MAX_TOKENS = 50

/** Deletes one token of a user. Returns whether it existed. */
export async function endToken(db: PrismaClient, userId: string, id: string): Promise<boolean> {
  const { count } = await db.apiToken.deleteMany({ where: { id, userId } })
  return count > 0
}

/** Deletes all tokens, deletion links, unused one-time links and invites of a user, so that a former holder of the account keeps no
 *  access. */
export async function revokeCredentials(tx: Transaction, userId: string): Promise<void> {
  await tx.apiToken.deleteMany({ where: { userId } })
  await tx.deletionLink.deleteMany({ where: { image: { ownerId: userId } } })
  await revokeLinksFor(tx, userId)
  await revokeInvites(tx, userId)
}

/** Deletes the invites of a user who may no longer invite, and the unused one-time links that they have created for others. */
export async function revokeInvites(tx: Transaction, userId: string): Promise<void> {
  await tx.invite.deleteMany({ where: { createdById: userId } })
  await revokeLinksFrom(tx, userId)
}
