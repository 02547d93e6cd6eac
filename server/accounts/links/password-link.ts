import { type Actor, writeAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import { createOneTimeLink } from './one-time-link.ts'

/** A link that sets a password, for an administrator to hand over. */
export interface PasswordLink {
  readonly url: string
  /** ISO 8601. */
  readonly expiresAt: string
}

/**
 * Creates the link with which a user sets their own password, and audits it. Nothing else changes: until the link is used, the
 * password, sessions and tokens stay. The user's row must be locked.
 */
export async function createPasswordLink(
  tx: Transaction,
  { origin, actor, action, userId }: { origin: string; actor: Actor; action: string; userId: string },
): Promise<PasswordLink> {
  const { link, expiresAt } = await createOneTimeLink(tx, { purpose: 'password', userId, createdById: actor.userId })
  await writeAudit(tx, actor, { action, target: `user/${userId}`, before: null, after: { linkUntil: expiresAt } })
  return { url: `${origin}/password/${link}`, expiresAt }
}
