import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { revocation } from '../limits.ts'
import { endSessions } from './sessions.ts'

/** Ends all of the viewer's sessions, including this one. API tokens stay valid. */
export const signOutEverywhere = personalProcedure
  .meta({ limits: revocation, audit: 'account.signOutEverywhere' })
  .mutation(async ({ ctx }) => {
    const { userId } = ctx.viewer
    await transact(ctx.app.db, async (tx) => {
      const sessions = await tx.session.count({ where: { userId, expiresAt: { gt: new Date() } } })
      await endSessions(tx, userId)
      await writeAudit(tx, toActor(ctx), {
        action: 'account.signOutEverywhere',
        target: `user/${userId}`,
        account: ownAccount(ctx.viewer),
        before: { sessions },
        after: null,
      })
    })
    return { userId }
  })
