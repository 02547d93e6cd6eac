import { z } from 'zod'
import { refuse } from '#server/errors/refuse.ts'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { userAdmin } from '../limits.ts'

/** Deletes an invite. */
export const revokeInvite = personalAdminProcedure
  .meta({ limits: userAdmin })
  .input(z.strictObject({ id: z.uuid() }))
  .mutation(async ({ ctx, input }) => {
    const { count } = await ctx.app.db.invite.deleteMany({ where: { id: input.id } })
    if (count === 0) throw refuse('invite-not-found')
    return { id: input.id }
  })
