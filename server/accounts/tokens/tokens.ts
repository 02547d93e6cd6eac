import { type Actor, ownAccount, writeAudit } from '#server/audit/audit.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { Conflict, transact } from '#server/database/transact.ts'
import { revokeLinksFor, revokeLinksFrom } from '../links/one-time-link.ts'

/** The maximum of tokens per account, including expired ones. */
export const MAX_TOKENS = 50

/** Deletes one of an actor's own tokens. Returns whether it existed. */
export async function endToken(db: PrismaClient, actor: Actor, id: string): Promise<boolean> {
  return transact(db, async (tx) => {
    const where = { id, userId: actor.userId }
    const token = await tx.apiToken.findFirst({ where, select: { name: true, ending: true, scopes: true } })
    if (!token) return false
    // Before the token is deleted: it may be the one that the actor uses, whose name is recorded.
    const act = { action: 'token.revoke', target: `token/${id}`, account: ownAccount(actor) } as const
    await writeAudit(tx, actor, { ...act, before: token, after: null })
    const { count } = await tx.apiToken.deleteMany({ where })
    if (count === 0) throw new Conflict('the token was revoked in the meantime')
    return true
  })
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
