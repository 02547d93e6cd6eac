import { randomUUID } from 'node:crypto'
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { credentialsShape, passwordProblem, usernameKey } from '#server/accounts/credentials.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { roleSchema } from '#server/accounts/roles.ts'
import { endSessions } from '#server/accounts/sessions/sessions.ts'
import { revokeCredentials } from '#server/accounts/tokens/tokens.ts'
import { insertUser } from '#server/accounts/users/insert-user.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { type Actor, writeAudit } from '#server/limit-admin/audit.ts'
import { accountProblem } from './account-problem.ts'

/** What became of a command; a refusal is a sentence for the owner. */
export type Outcome = { readonly done: string } | { readonly refused: string }

/** Whoever may run the command on the server's machine needs no account. */
const commandLine = (): Actor => ({
  userId: '00000000-0000-0000-0000-000000000000',
  username: 'the command line',
  requestId: randomUUID(),
})

export const resetPasswordInput = z.strictObject({ username: z.string().max(100), password: z.string().max(1_000) })
export const createUserInput = z.strictObject({ ...credentialsShape, username: z.string().max(100), role: roleSchema })

/** Gives an account, whosever it is, a new password, and ends its sessions, tokens, deletion links and invites. It stays banned if it was. */
export async function resetPassword(
  db: PrismaClient,
  { username, password }: z.infer<typeof resetPasswordInput>,
): Promise<Outcome> {
  const problem = passwordProblem(password, username)
  if (problem) return { refused: problem }
  const passwordHash = await hashPassword(password)
  return transact(db, async (tx): Promise<Outcome> => {
    const key = usernameKey(username)
    // As where a session opens: none opens by the old password behind this.
    await tx.$queryRaw`SELECT 1 FROM "User" WHERE "usernameKey" = ${key} FOR NO KEY UPDATE`
    const user = await tx.user.findUnique({
      where: { usernameKey: key },
      select: { id: true, username: true, bannedAt: true },
    })
    if (!user) return { refused: `There is no account ${username}.` }
    await tx.user.update({ where: { id: user.id }, data: { passwordHash }, select: { id: true } })
    await endSessions(tx, user.id)
    await revokeCredentials(tx, user.id)
    const target = `user/${user.id}`
    await writeAudit(tx, commandLine(), { action: 'admin.resetPassword', target, before: null, after: null })
    const banned = user.bannedAt ? ' The account is banned, and stays so.' : ''
    return {
      done: `${user.username} has a new password; all sessions, tokens, deletion links and invites have ended.${banned}`,
    }
  })
}

/** Makes an account. */
export async function createUser(
  db: PrismaClient,
  { username, password, role }: z.infer<typeof createUserInput>,
): Promise<Outcome> {
  const problem = accountProblem(username, password)
  if (problem) return { refused: problem }
  const passwordHash = await hashPassword(password)
  try {
    return await db.$transaction(async (tx): Promise<Outcome> => {
      const { id } = await insertUser(tx, { username, passwordHash, role })
      const target = `user/${id}`
      await writeAudit(tx, commandLine(), { action: 'user.create', target, before: null, after: { username, role } })
      return { done: `${username} has an account, as ${role}.` }
    })
  } catch (error) {
    if (error instanceof TRPCError && error.code === 'CONFLICT') return { refused: error.message }
    throw error
  }
}
