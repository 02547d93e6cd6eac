import { z } from 'zod'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { revocation, userAdmin } from '../limits.ts'
import { cleanLine } from '../profile/clean-line.ts'
import { endSessions } from '../sessions/sessions.ts'
import { revokeCredentials } from '../tokens/tokens.ts'
import { type ChangedUser, changeUser, toUserItem, type UserItem, userColumns } from './users.ts'

const input = z.strictObject({ id: z.uuid() })

const banInput = z.strictObject({
  id: z.uuid(),
  /** Admins see it, and the user who signs in with the right password. */
  reason: z.string().max(1_000).transform(cleanLine).pipe(z.string().max(300)).optional(),
})

/** Bans a user from their next request on, and deletes their tokens, deletion links and invites. Their images stay. */
export const banUser = personalAdminProcedure
  .meta({ limits: revocation, audit: 'user.ban' })
  .input(banInput)
  .mutation(({ ctx, input }) => {
    if (input.id === ctx.viewer.userId) throw refuse('blocks-own-account')
    return changeUser(ctx.app.db, ctx.viewer, input.id, (tx, user) => ban(tx, ctx, user, input.reason ?? ''))
  })

/** Bans a user that `changeUser` has locked. `reason` is '' for none. */
export async function ban(
  tx: Transaction,
  call: Parameters<typeof toActor>[0],
  user: ChangedUser,
  reason: string,
): Promise<UserItem> {
  await endSessions(tx, user.id)
  await revokeCredentials(tx, user.id)
  const act = { action: 'user.ban', target: `user/${user.id}`, account: user } as const
  const banReason = reason || null
  const after = { banned: true, reason: banReason }
  await writeAudit(tx, toActor(call), { ...act, before: { banned: user.bannedAt !== null }, after })
  const data = { bannedAt: new Date(), banReason }
  return toUserItem(await tx.user.update({ where: { id: user.id }, data, select: userColumns }))
}

/** Lets a banned user sign in again. */
export const unbanUser = personalAdminProcedure
  .meta({ limits: userAdmin, audit: 'user.unban' })
  .input(input)
  .mutation(({ ctx, input }) =>
    changeUser(ctx.app.db, ctx.viewer, input.id, async (tx, user) => {
      const act = { action: 'user.unban', target: `user/${user.id}`, account: user } as const
      const before = { banned: user.bannedAt !== null }
      await writeAudit(tx, toActor(ctx), { ...act, before, after: { banned: false } })
      const data = { bannedAt: null, banReason: null }
      return toUserItem(await tx.user.update({ where: { id: user.id }, data, select: userColumns }))
    }),
  )
