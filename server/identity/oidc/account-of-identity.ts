import { randomUUID } from 'node:crypto'
import { TRPCError } from '@trpc/server'
import { usableInviteByHash } from '#server/accounts/invites/usable-invite.ts'
import { hasUsers } from '#server/accounts/owner.ts'
import { NO_PASSWORD } from '#server/accounts/passwords.ts'
import { insertUser } from '#server/accounts/users/insert-user.ts'
import { type Actor, type AuditedAccount, writeAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import { Conflict, transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Services } from '#server/services.ts'
import { type Claims, proposeUsernames, verifiedEmail } from './claims.ts'
import { findLinkedUser, linkIdentity, toIdentityKey } from './identities.ts'
import type { Provider } from './provider.ts'

interface Arriving {
  readonly provider: Provider
  readonly claims: Claims
  readonly inviteHash: string | null
  /** The request, for the audit. */
  readonly from: Omit<Actor, 'userId' | 'username'>
  /** Charges the new account to the client's address; throws if that is limited. */
  readonly chargeSignUp: () => Promise<void>
}

/**
 * Returns the account that somebody from a provider signs in to: the one that is linked, or the one with their address where the owner
 * says so, or a new one as the site's rule for sign-up allows. Throws why there is none.
 */
export async function findAccount(app: Services, arriving: Arriving): Promise<string> {
  const key = toIdentityKey(arriving.provider, arriving.claims)
  const linked = await findLinkedUser(app.db, key)
  // Its users share no identity: one that was linked before the account was shared opens nothing.
  if (linked) return linked.shared ? refuseUnknown(arriving.provider) : linked.userId
  try {
    return (await linkByEmail(app, arriving)) ?? (await openAccount(app, arriving))
  } catch (error) {
    // Another callback may have linked it in the meantime.
    const now = await findLinkedUser(app.db, key)
    if (now && !now.shared) return now.userId
    throw error
  }
}

function refuseUnknown({ label }: Provider): never {
  throw refuse('provider-no-account', { provider: label })
}

/** Links the account with the address that the provider has verified, if it is verified here too. Never an account with rights over
 *  others or of several people: an address alone must not open one. */
async function linkByEmail({ db, mail }: Services, { provider, claims, from }: Arriving): Promise<string | null> {
  const email = provider.linksByEmail ? verifiedEmail(claims) : null
  if (email === null) return null
  return db.$transaction(async (tx) => {
    const { key: emailKey } = email
    await tx.$queryRaw`SELECT 1 FROM "User" WHERE "emailKey" = ${emailKey} FOR NO KEY UPDATE`
    const where = { emailKey, emailVerifiedAt: { not: null }, role: 'user', shared: false, guestUntil: null } as const
    const user = await tx.user.findUnique({ where, select: { id: true, username: true } })
    if (!user) return null
    const actor = { ...from, userId: user.id, username: user.username }
    await linkIdentity(tx, { actor, account: user, provider, claims, by: 'email' })
    await mail.note(tx, actor, 'provider-linked')
    return user.id
  })
}

async function openAccount(app: Services, arriving: Arriving): Promise<string> {
  const { db, site } = app
  const { provider, claims, inviteHash, from, chargeSignUp } = arriving
  const { signup } = site.read()
  if (!provider.opensAccounts || signup === 'closed') refuseUnknown(provider)
  // The first account must be the owner's: a stranger's would end set-up.
  if (!(await hasUsers(db))) throw refuse('not-set-up')
  const isInvited = inviteHash !== null && (await db.invite.count({ where: usableInviteByHash(inviteHash) })) > 0
  if (signup === 'invite' && !isInvited) throw refuse('provider-needs-invite', { provider: provider.label })
  await chargeSignUp()
  return transact(db, async (tx) => {
    const invite = signup === 'invite' ? await spendInvite(tx, inviteHash ?? '') : null
    const account = await insertAccount(tx, claims)
    await keepEmail(tx, account.id, arriving)
    const actor = { ...from, userId: account.id, username: account.username }
    await writeAudit(tx, actor, {
      action: 'account.signUp',
      target: `user/${account.id}`,
      account,
      before: null,
      after: { role: 'user', invite, provider: provider.name },
    })
    await linkIdentity(tx, { actor, account, provider, claims, by: 'new-account' })
    return account.id
  })
}

async function spendInvite(tx: Transaction, codeHash: string): Promise<string> {
  const data = { usesLeft: { decrement: 1 } }
  const [spent] = await tx.invite.updateManyAndReturn({
    where: usableInviteByHash(codeHash),
    data,
    select: { id: true },
  })
  if (!spent) throw refuse('unusable-invite')
  return spent.id
}

/** Creates the account under the first proposed name that is free. Somebody else may take it at the same moment: then all is tried again. */
async function insertAccount(tx: Transaction, claims: Claims): Promise<AuditedAccount> {
  const username = await freeUsername(tx, claims)
  const { id } = await insertUser(tx, { username, passwordHash: NO_PASSWORD }).catch((error: unknown) => {
    throw error instanceof TRPCError && error.code === 'CONFLICT' ? new Conflict() : error
  })
  return { id, username }
}

async function freeUsername(tx: Transaction, claims: Claims): Promise<string> {
  const proposed = proposeUsernames(claims)
  const keys = proposed.map((name) => name.toLowerCase())
  const taken = await tx.user.findMany({ where: { usernameKey: { in: keys } }, select: { usernameKey: true } })
  const isFree = (name: string) => !taken.some(({ usernameKey }) => usernameKey === name.toLowerCase())
  return proposed.find(isFree) ?? `user-${randomUUID().slice(0, 13)}`
}

/** Gives a new account its verified address, if the owner trusts the provider with addresses and nobody else has it. */
async function keepEmail(tx: Transaction, id: string, { provider, claims }: Arriving): Promise<void> {
  const email = provider.linksByEmail ? verifiedEmail(claims) : null
  if (email === null || (await tx.user.count({ where: { emailKey: email.key } })) > 0) return
  const data = { email: email.text, emailKey: email.key, emailVerifiedAt: new Date() }
  await tx.user.update({ where: { id }, data, select: { id: true } })
}
