import { z } from 'zod'
import { lockCaller } from '#server/accounts/lock-caller.ts'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { endWithoutFactor } from '../factors.ts'
import { factorChange } from '../limits.ts'
import { hasWayIn } from '../ways-in.ts'

/** Removes one of the viewer's passkeys. The site's rule may ask to keep the last second factor. Returns what lets the browser tell the
 *  authenticator that the passkey is void. */
export const removePasskey = personalProcedure
  .meta({ limits: factorChange, audit: 'account.removePasskey', proof: 'fresh' })
  .input(z.strictObject({ id: z.uuid() }))
  .mutation(async ({ ctx, input: { id } }) => {
    const { db, site } = ctx.app
    const { userId } = ctx.viewer
    return transact(db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      const select = { name: true, isBackedUp: true, credentialId: true, rpId: true } as const
      const passkey = await tx.passkey.findUnique({ where: { id, userId }, select })
      if (!passkey) throw refuse('passkey-not-found')
      await tx.passkey.delete({ where: { id }, select: { id: true } })
      if (!(await hasWayIn(tx, ctx.app, userId))) throw refuse('last-way-in')
      await endWithoutFactor(tx, site.read().secondFactor, ctx.viewer)
      const { credentialId, rpId, ...before } = passkey
      await writeAudit(tx, toActor(ctx), {
        action: 'account.removePasskey',
        target: `passkey/${id}`,
        account: ownAccount(ctx.viewer),
        before,
        after: null,
      })
      await ctx.app.mail.note(tx, toActor(ctx), 'passkey-removed')
      return { id, credentialId, rpId }
    })
  })
