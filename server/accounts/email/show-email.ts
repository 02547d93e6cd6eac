import { personalProcedure } from '#server/trpc/init.ts'
import { accountView } from '../limits.ts'

/** Returns the viewer's address, and one that waits to be confirmed. */
export const showEmail = personalProcedure.meta({ limits: accountView }).query(async ({ ctx }) => {
  const select = { email: true, emailVerifiedAt: true, pendingEmail: true, wantsShareMails: true }
  const { email, emailVerifiedAt, ...rest } = await ctx.app.db.user.findUniqueOrThrow({
    where: { id: ctx.viewer.userId },
    select,
  })
  return { email: emailVerifiedAt && email, ...rest, hasMail: ctx.app.site.read().mail !== null }
})
