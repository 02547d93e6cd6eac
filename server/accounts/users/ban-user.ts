import { z } from 'zod'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { userAdmin } from '../limits.ts'
import { endSessions } from '../sessions/sessions.ts'
import { endKeys } from '../tokens/tokens.ts'
import { changeUser, toUserItem, userColumns } from './users.ts'

const input = z.strictObject({ id: z.uuid() })

/** Shuts a user out, from their next request on, and voids their tokens, deletion links and invites. What they uploaded stays. */
export const banUser = personalAdminProcedure
  .meta({ limits: userAdmin })
  .input(input)
  .mutation(({ ctx, input }) =>
    changeUser(ctx.app.db, ctx.viewer, input.id, async (tx, user) => {
      await endSessions(tx, user.id)
      await endKeys(tx, user.id)
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
