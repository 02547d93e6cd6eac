import { type Actor, type AuditedAccount, writeAudit } from '#server/audit/audit.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import type { Claims } from './claims.ts'
import type { Provider } from './provider.ts'

/*
 * An account at a provider, by the provider's issuer and the subject that it calls its user (OpenID Connect Core 1.0, 5.7): nothing else
 * that it says names somebody for good.
 */

interface IdentityKey {
  readonly issuer: string
  readonly subject: string
}

export const toIdentityKey = ({ issuer }: Pick<Provider, 'issuer'>, { sub }: Pick<Claims, 'sub'>): IdentityKey => ({
  issuer,
  subject: sub,
})

/** Returns the account that an identity signs in to; null if it is linked to none. */
export async function findLinkedUser(
  db: PrismaClient | Transaction,
  key: IdentityKey,
): Promise<{ readonly userId: string; readonly shared: boolean } | null> {
  const linked = await db.linkedIdentity.findUnique({
    where: { issuer_subject: key },
    select: { userId: true, user: { select: { shared: true } } },
  })
  return linked && { userId: linked.userId, shared: linked.user.shared }
}

interface Linking {
  readonly actor: Actor
  readonly account: AuditedAccount
  readonly provider: Provider
  readonly claims: Claims
  /** How the account and the identity were found to be of one person. */
  readonly by: 'session' | 'email' | 'new-account'
}

/** Links an identity to an account, and audits it. The account's row must be locked. Rejects if it is linked already. */
export async function linkIdentity(tx: Transaction, { actor, account, provider, claims, by }: Linking): Promise<void> {
  const email = claims.email ?? null
  const data = { userId: account.id, ...toIdentityKey(provider, claims), email }
  await tx.linkedIdentity.create({ data, select: { id: true } })
  const after = { provider: provider.name, email, by }
  const target = `user/${account.id}`
  await writeAudit(tx, actor, { action: 'account.linkIdentity', target, account, before: null, after })
}

/** Records a sign-in by an identity, with what the provider calls its user now. */
export async function noteIdentityUsed(db: PrismaClient, key: IdentityKey, { email }: Claims): Promise<void> {
  await db.linkedIdentity.updateMany({ where: key, data: { lastUsedAt: new Date(), email: email ?? null } })
}
