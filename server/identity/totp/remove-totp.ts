import { lockCaller } from '#server/accounts/lock-caller.ts'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { endWithoutFactor } from '../factors.ts'
import { factorChange } from '../limits.ts'

/** Removes the viewer's authenticator app. The site's rule may ask to keep the last second factor; it can be replaced. */
export const removeTotp = personalProcedure
  .meta({ limits: factorChange, audit: 'account.removeTotp', proof: 'fresh' })
  .mutation(async ({ ctx }) => {
    const { db, site } = ctx.app
    const { userId } = ctx.viewer
    await transact(db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      const factor = await tx.totpFactor.findUnique({ where: { userId }, select: { createdAt: true } })
      if (!factor) throw refuse('factor-not-found')
      await tx.totpFactor.delete({ where: { userId }, select: { userId: true } })
      await endWithoutFactor(tx, site.read().secondFactor, ctx.viewer)
      await writeAudit(tx, toActor(ctx), {
        action: 'account.removeTotp',
        target: `user/${userId}`,
        account: ownAccount(ctx.viewer),
        before: { since: factor.createdAt.toISOString() },
        after: null,
      })
      await ctx.app.mail.note(tx, toActor(ctx), 'app-removed')
    })
    return { userId }
  })
