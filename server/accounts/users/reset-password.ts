import { z } from 'zod'
import { toActor } from '#server/audit/audit.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { userAdmin } from '../limits.ts'
import { createPasswordLink } from '../links/password-link.ts'
import { changeUser } from './users.ts'

const input = z.strictObject({ id: z.uuid() })

/** Returns a one-time link for a user to set a new password. No administrator sets or sees it, and nothing changes until the
 *  link is used. */
export const resetPassword = personalAdminProcedure
  .meta({ limits: userAdmin, audit: 'user.resetPassword', proof: 'fresh' })
  .input(input)
  .mutation(({ ctx, input }) =>
    changeUser(ctx.app.db, ctx.viewer, input.id, async (tx, user) => {
      if (!ctx.app.site.read().passwords) throw refuse('passwords-off')
      const { origin } = ctx.app.config
      const made = { origin, actor: toActor(ctx), action: 'user.resetPassword', account: user } as const
      return { id: user.id, ...(await createPasswordLink(tx, made)) }
    }),
  )
