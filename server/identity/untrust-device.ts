import { z } from 'zod'
import { lockCaller } from '#server/accounts/lock-caller.ts'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { revocation } from '../accounts/limits.ts'

/** Asks one of the viewer's trusted browsers for the second step again. Its sessions go on. */
export const untrustDevice = personalProcedure
  .meta({ limits: revocation, audit: 'account.untrustDevice' })
  .input(z.strictObject({ id: z.uuid() }))
  .mutation(async ({ ctx, input: { id } }) => {
    const { userId } = ctx.viewer
    await transact(ctx.app.db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      const where = { id, userId, trustedUntil: { gt: new Date() } }
      const device = await tx.device.findUnique({ where, select: { userAgent: true, address: true } })
      if (!device) throw refuse('device-not-found')
      await tx.device.update({ where: { id }, data: { trustedUntil: null }, select: { id: true } })
      await writeAudit(tx, toActor(ctx), {
        action: 'account.untrustDevice',
        target: `device/${id}`,
        account: ownAccount(ctx.viewer),
        before: device,
        after: null,
      })
    })
    return { id }
  })
