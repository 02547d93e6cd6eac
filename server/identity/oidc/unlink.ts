import { z } from 'zod'
import { lockCaller } from '#server/accounts/lock-caller.ts'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { factorChange } from '../limits.ts'
import { hasWayIn } from '../ways-in.ts'

/** Unlinks one of the viewer's accounts at providers. Never the last way in. */
export const unlink = personalProcedure
  .meta({ limits: factorChange, audit: 'account.unlinkIdentity', proof: 'fresh' })
  .input(z.strictObject({ id: z.uuid() }))
  .mutation(async ({ ctx, input: { id } }) => {
    const { db } = ctx.app
    const { userId } = ctx.viewer
    await transact(db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      const identity = await tx.linkedIdentity.findUnique({
        where: { id, userId },
        select: { issuer: true, email: true },
      })
      if (!identity) throw refuse('identity-not-found')
      await tx.linkedIdentity.delete({ where: { id }, select: { id: true } })
      if (!(await hasWayIn(tx, ctx.app, userId))) throw refuse('last-way-in')
      const { email, issuer } = identity
      const provider = await tx.oidcProvider.findUnique({ where: { issuer }, select: { name: true } })
      await writeAudit(tx, toActor(ctx), {
        action: 'account.unlinkIdentity',
        target: `user/${userId}`,
        account: ownAccount(ctx.viewer),
        before: { provider: provider?.name ?? issuer, email },
        after: null,
      })
      await ctx.app.mail.note(tx, toActor(ctx), 'provider-unlinked')
    })
    return { id }
  })
