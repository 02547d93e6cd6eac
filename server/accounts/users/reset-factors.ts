import { z } from 'zod'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { endFactors, NO_FACTORS } from '#server/identity/factors.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { userAdmin } from '../limits.ts'
import { changeUser } from './users.ts'

/** Ends the second factors of somebody who has lost them all, so that their password alone signs in. Returns whether they had any. */
export const resetFactors = superadminProcedure
  .meta({ limits: userAdmin, audit: 'user.resetFactors', proof: 'fresh' })
  .input(z.strictObject({ id: z.uuid() }))
  .mutation(({ ctx, input }) =>
    changeUser(ctx.app.db, ctx.viewer, input.id, async (tx, user) => {
      const before = await endFactors(tx, user.id)
      if (!before) return { id: user.id, hadFactors: false }
      await writeAudit(tx, toActor(ctx), {
        action: 'user.resetFactors',
        target: `user/${user.id}`,
        account: user,
        before,
        after: NO_FACTORS,
      })
      await ctx.app.mail.note(tx, { userId: user.id, address: '' }, 'factors-ended')
      return { id: user.id, hadFactors: true }
    }),
  )
