import { type Actor, type AuditedAccount, writeAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import { createOneTimeLink } from './one-time-link.ts'

/** A link that sets a password, for an administrator to hand over. */
export interface PasswordLink {
  readonly url: string
  /** ISO 8601. */
  readonly expiresAt: string
}

interface NewPasswordLink {
  readonly origin: string
  readonly actor: Actor
  readonly action: 'user.create' | 'user.resetPassword'
  readonly account: AuditedAccount
  /** What else the audit entry states. */
  readonly state?: Readonly<Record<string, string | boolean>>
}

/**
 * Creates the link with which a user sets their own password, and audits it. Nothing else changes: until the link is used, the
 * password, sessions and tokens stay. The user's row must be locked.
 */
export async function createPasswordLink(
  tx: Transaction,
  { origin, actor, action, account, state = {} }: NewPasswordLink,
): Promise<PasswordLink> {
  const { link, expiresAt } = await createOneTimeLink(tx, {
    purpose: 'password',
    userId: account.id,
    createdById: actor.userId,
  })
  const after = { ...state, linkUntil: expiresAt }
  await writeAudit(tx, actor, { action, target: `user/${account.id}`, account, before: null, after })
  return { url: `${origin}/password/${link}`, expiresAt }
}
