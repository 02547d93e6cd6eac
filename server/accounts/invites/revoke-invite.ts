import { z } from 'zod'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { userAdmin } from '../limits.ts'

/** Deletes an invite. */
export const revokeInvite = personalAdminProcedure
  .meta({ limits: userAdmin, audit: 'invite.revoke' })
  .input(z.strictObject({ id: z.uuid() }))
  .mutation(async ({ ctx, input }) => {
    const { id } = input
    await transact(ctx.app.db, async (tx) => {
      const select = { usesLeft: true, expiresAt: true, createdBy: { select: { username: true } } } as const
      const invite = await tx.invite.findUnique({ where: { id }, select })
      const { count } = await tx.invite.deleteMany({ where: { id } })
      if (!invite || count === 0) throw refuse('invite-not-found')
      const { usesLeft, expiresAt, createdBy } = invite
      const before = { usesLeft, expiresAt: expiresAt.toISOString(), createdBy: createdBy?.username ?? null }
      await writeAudit(tx, toActor(ctx), { action: 'invite.revoke', target: `invite/${id}`, before, after: null })
    })
    return { id }
  })
