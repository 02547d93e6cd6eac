import { z } from 'zod'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { auditImages } from '#server/images/audit-images.ts'
import { lockImages } from '#server/images/bulk/lock-images.ts'
import { updateImages } from '#server/images/image-rows.ts'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { reportDecision } from './limits.ts'

/** Opens a report again: `{ id }`. Restores the image if the decision has moved it to the trash; a ban and what was hidden stay. */
export const reopenReport = personalAdminProcedure
  .meta({ limits: reportDecision, audit: 'report.reopen' })
  .input(z.strictObject({ id: z.uuid() }))
  .mutation(async ({ ctx, input: { id } }) => {
    const found = await ctx.app.db.report.findUnique({ where: { id }, select: { imageId: true } })
    if (!found) throw refuse('report-not-found')
    const { imageId } = found
    await transact(ctx.app.db, async (tx) => {
      const before = (await lockImages(tx, [imageId])).get(imageId)
      const report = await tx.report.findUnique({ where: { id }, select: { outcome: true, closedAt: true } })
      if (!before || !report) throw refuse('report-not-found')
      if (!report.closedAt) return
      await tx.report.update({ where: { id }, data: { closedAt: null }, select: { id: true } })
      const account = await tx.user.findUnique({
        where: { id: before.ownerId },
        select: { id: true, username: true },
      })
      const { title } = before
      const act = { action: 'report.reopen', target: `image/${imageId}`, account } as const
      await writeAudit(tx, toActor(ctx), {
        ...act,
        before: { title, outcome: report.outcome },
        after: { title, outcome: null },
      })
      if (report.outcome !== 'trash') return
      const [after] = await updateImages(tx, { id: imageId, trashedAt: { not: null } }, { trashedAt: null })
      if (after) await auditImages(tx, ctx, 'image.restore', [{ before, after }])
    })
    return { id }
  })
