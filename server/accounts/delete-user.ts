import { z } from 'zod'
import { superadminProcedure } from '#server/trpc/init.ts'
import { userAdmin } from './limits.ts'
import { changeUser } from './users.ts'

const input = z.strictObject({ id: z.uuid() })

/** Removes an account with everything it uploaded. */
export const deleteUser = superadminProcedure
  .meta({ limits: userAdmin })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    await changeUser(ctx.app.db, ctx.viewer, input.id, async (tx, user) => {
      await ctx.app.images.purgeAllOf(tx, user.id)
      await tx.user.delete({ where: { id: user.id }, select: { id: true } })
    })
    return { id: input.id }
  })
