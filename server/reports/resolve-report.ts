import { z } from 'zod'
import { cleanLine } from '#server/accounts/profile/clean-line.ts'
import { ban } from '#server/accounts/users/ban-user.ts'
import { changeUser } from '#server/accounts/users/users.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { lockImages } from '#server/images/bulk/lock-images.ts'
import { moderation } from '#server/images/limits.ts'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { closeReport } from './close-report.ts'
import { reportDecision } from './limits.ts'
import { reportActs } from './reasons.ts'

const input = z.strictObject({
  id: z.uuid(),
  act: z.enum(reportActs),
  /** Of a ban, as user.ban takes it. */
  reason: z.string().max(1_000).transform(cleanLine).pipe(z.string().max(300)).optional(),
})

/**
 * Decides about a reported image, whatever its visibility: `{ id, act: 'hide' | 'trash' | 'ban' | 'dismiss', reason? }`, with the report's
 * ID. Whoever reported it may see it, and so may the admin who decides. Admins can ban users, superadmins everyone.
 */
export const resolveReport = personalAdminProcedure
  .meta({ limits: reportDecision, audit: 'report.resolve' })
  .input(input)
  .mutation(async ({ ctx, input: { id, act, reason } }) => {
    const { db } = ctx.app
    const select = { closedAt: true, image: { select: { id: true, ownerId: true } } } as const
    const report = await db.report.findUnique({ where: { id }, select })
    if (!report) throw refuse('report-not-found')
    if (report.closedAt) throw refuse('report-closed')
    const { id: imageId, ownerId } = report.image
    if (act !== 'dismiss' && ownerId !== ctx.viewer.userId) await ctx.charge(moderation)
    const decision = { id, imageId, act }
    if (act !== 'ban') await transact(db, (tx) => closeReport(tx, ctx, decision))
    else {
      // Images are locked before users.
      const before = async (tx: Parameters<typeof lockImages>[0]) => void (await lockImages(tx, [imageId]))
      await changeUser(
        db,
        ctx.viewer,
        ownerId,
        async (tx, user) => {
          await closeReport(tx, ctx, decision)
          await ban(tx, ctx, user, reason ?? '')
        },
        { before },
      )
    }
    ctx.app.metrics.add('sluice_reports_decided_total', act)
    return { id }
  })
