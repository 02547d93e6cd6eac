import { z } from 'zod'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { revocation, userAdmin } from '../limits.ts'
import { endSessions } from '../sessions/sessions.ts'
import { revokeCredentials } from '../tokens/tokens.ts'
import { changeUser, toUserItem, userColumns } from './users.ts'

const input = z.strictObject({ id: z.uuid() })

/** Bans a user from their next request on, and deletes their tokens, deletion links and invites. Their images stay. */
export const banUser = personalAdminProcedure
  .meta({ limits: revocation })
  .input(input)
  .mutation(({ ctx, input }) =>
    changeUser(ctx.app.db, ctx.viewer, input.id, async (tx, user) => {
      await endSessions(tx, user.id)
      await revokeCredentials(tx, user.id)
      return toUserItem(
        await tx.user.update({ where: { id: user.id }, data: { bannedAt: new Date() }, select: userColumns }),
      )
    }),
  )

/** Lets a banned user sign in again. */
export const unbanUser = personalAdminProcedure
  .meta({ limits: userAdmin })
  .input(input)
  .mutation(({ ctx, input }) =>
    changeUser(ctx.app.db, ctx.viewer, input.id, async (tx, user) =>
      toUserItem(await tx.user.update({ where: { id: user.id }, data: { bannedAt: null }, select: userColumns })),
    ),
  )
