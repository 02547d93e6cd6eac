import { z } from 'zod'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { auditedShare } from './audited-share.ts'
import { lockShare } from './change-share.ts'
import { shareRevocation } from './limits.ts'

/** Ends a share for good: its page and every address of its bytes, from the next request on. */
export const revokeShare = personalProcedure
  .meta({ limits: shareRevocation, scope: 'manage', audit: 'share.revoke' })
  .input(z.strictObject({ id: z.uuid() }))
  .mutation(async ({ ctx, input: { id } }) => {
    await transact(ctx.app.db, async (tx) => {
      const share = await lockShare(tx, ctx.viewer, id)
      if (!share) throw refuse('share-not-found')
      const { owner, ...before } = share
      const act = { action: 'share.revoke', target: `share/${id}`, account: owner } as const
      await writeAudit(tx, toActor(ctx), { ...act, before: auditedShare.state(before), after: null })
      await tx.share.delete({ where: { id }, select: { id: true } })
    })
    return { id }
  })
