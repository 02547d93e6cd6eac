import { z } from 'zod'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { auditedShare } from './audited-share.ts'
import { lockShare } from './change-share.ts'
import { settingsInput } from './input.ts'
import { shareChange } from './limits.ts'
import { toColumns } from './share-settings.ts'

const input = z.strictObject({ id: z.uuid(), ...settingsInput })

/** Changes a share, for its visitors from their next request on. Limits keep what has been used. Another password ends all
 *  visits. */
export const updateShare = personalProcedure
  .meta({ limits: shareChange, scope: 'manage', audit: 'share.update' })
  .input(input)
  .mutation(async ({ ctx, input: { id, ...settings } }) => {
    const columns = await toColumns(ctx, id, settings)
    await transact(ctx.app.db, async (tx) => {
      const share = await lockShare(tx, ctx.viewer, id)
      if (!share) throw refuse('share-not-found')
      const { owner, ...before } = share
      const after = await tx.share.update({ where: { id }, data: columns, select: auditedShare.columns })
      const states = { before: auditedShare.state(before), after: auditedShare.state(after) }
      await writeAudit(tx, toActor(ctx), { action: 'share.update', target: `share/${id}`, account: owner, ...states })
    })
    return { id }
  })
