import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { translate } from '#messages/translate.ts'
import { credentialsShape, describePasswordProblem, usernameKey } from '#server/accounts/credentials.ts'
import { createOneTimeLink } from '#server/accounts/links/one-time-link.ts'
import { OWNER_LANE } from '#server/accounts/password-lanes.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { roleSchema } from '#server/accounts/roles.ts'
import { endSessions } from '#server/accounts/sessions/sessions.ts'
import { revokeCredentials } from '#server/accounts/tokens/tokens.ts'
import { insertUser } from '#server/accounts/users/insert-user.ts'
import { commandLine, writeAudit } from '#server/audit/audit.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { endFactors, NO_FACTORS } from '#server/identity/factors.ts'
import { accountProblem } from './account-problem.ts'

/** The result of a command: a message for the owner. */
export type CommandResult =
  | {
      readonly done: string
      /** For standard output, and for nobody's log. */
      readonly printed?: string
      /** What is not as it should be, although it is done. */
      readonly warned?: string
    }
  | { readonly refused: string }

export const resetPasswordInput = z.strictObject({ username: z.string().max(100), password: z.string().max(1_000) })
export const resetFactorsInput = z.strictObject({ username: z.string().max(100) })
export const signInLinkInput = z.strictObject({ username: z.string().max(100) })
export const createUserInput = z.strictObject({ ...credentialsShape, username: z.string().max(100), role: roleSchema })

/** Sets the password of any account, and deletes its sessions, tokens, deletion links and invites. A ban stays in force. */
export async function setAccountPassword(
  db: PrismaClient,
  { username, password }: z.infer<typeof resetPasswordInput>,
): Promise<CommandResult> {
  const problem = describePasswordProblem(password, username)
  if (problem) return { refused: problem }
  const passwordHash = await hashPassword(password, { lane: OWNER_LANE })
  return transact(db, async (tx): Promise<CommandResult> => {
    const user = await lockAccount(tx, username)
    if (!user) return { refused: translate('cli.owner.noAccount', { username }) }
    await tx.user.update({ where: { id: user.id }, data: { passwordHash }, select: { id: true } })
    await endSessions(tx, user.id)
    await revokeCredentials(tx, user.id)
    const target = `user/${user.id}`
    await writeAudit(tx, commandLine(), {
      action: 'admin.resetPassword',
      target,
      account: user,
      before: null,
      after: null,
    })
    const values = { username: user.username }
    return {
      done: user.bannedAt
        ? translate('cli.owner.passwordResetBanned', values)
        : translate('cli.owner.passwordReset', values),
    }
  })
}

/** Ends the second factors of any account, with the codes and trusted browsers that stand in for them. Its sessions and its password stay. */
export async function resetFactors(
  db: PrismaClient,
  { username }: z.infer<typeof resetFactorsInput>,
): Promise<CommandResult> {
  return transact(db, async (tx): Promise<CommandResult> => {
    const user = await lockAccount(tx, username)
    if (!user) return { refused: translate('cli.owner.noAccount', { username }) }
    const named = { username: user.username }
    const before = await endFactors(tx, user.id)
    if (!before) return { done: translate('cli.owner.noFactors', named) }
    await writeAudit(tx, commandLine(), {
      action: 'admin.resetFactors',
      target: `user/${user.id}`,
      account: user,
      before,
      after: NO_FACTORS,
    })
    return { done: translate('cli.owner.factorsReset', named) }
  })
}

/** Creates a link that signs in to any account once, within half an hour: for who cannot get in otherwise, such as where passwords are off
 *  and the provider is away. A second factor is asked for as ever. */
export async function createSignInLink(
  db: PrismaClient,
  { origin }: { readonly origin: string },
  { username }: z.infer<typeof signInLinkInput>,
): Promise<CommandResult> {
  return transact(db, async (tx): Promise<CommandResult> => {
    const user = await lockAccount(tx, username)
    if (!user) return { refused: translate('cli.owner.noAccount', { username }) }
    if (user.bannedAt) return { refused: translate('cli.owner.accountBanned', { username: user.username }) }
    const { link, expiresAt } = await createOneTimeLink(tx, { purpose: 'sign-in', userId: user.id, createdById: null })
    await writeAudit(tx, commandLine(), {
      action: 'admin.signInLink',
      target: `user/${user.id}`,
      account: user,
      before: null,
      after: { linkUntil: expiresAt },
    })
    return {
      done: translate('cli.owner.signInLink', { username: user.username }),
      printed: `${origin}/signin/link/${link}`,
    }
  })
}

/** Locks an account as opening a session does: none opens by what ends in this transaction. */
async function lockAccount(tx: Transaction, username: string) {
  const key = usernameKey(username)
  await tx.$queryRaw`SELECT 1 FROM "User" WHERE "usernameKey" = ${key} FOR NO KEY UPDATE`
  return tx.user.findUnique({ where: { usernameKey: key }, select: { id: true, username: true, bannedAt: true } })
}

export async function createAccount(
  db: PrismaClient,
  { username, password, role }: z.infer<typeof createUserInput>,
): Promise<CommandResult> {
  const problem = accountProblem(username, password)
  if (problem) return { refused: problem }
  const passwordHash = await hashPassword(password, { lane: OWNER_LANE })
  try {
    return await db.$transaction(async (tx): Promise<CommandResult> => {
      const { id } = await insertUser(tx, { username, passwordHash, role })
      const target = `user/${id}`
      const act = { action: 'user.create', target, account: { id, username } } as const
      await writeAudit(tx, commandLine(), { ...act, before: null, after: { username, role } })
      return { done: translate('cli.owner.accountCreated', { username, role }) }
    })
  } catch (error) {
    if (error instanceof TRPCError && error.code === 'CONFLICT') return { refused: error.message }
    throw error
  }
}
