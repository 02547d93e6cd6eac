import { z } from 'zod'
import { lockCaller } from '#server/accounts/lock-caller.ts'
import { NO_PASSWORD } from '#server/accounts/passwords.ts'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { factorChange } from '../limits.ts'
import { countOtherWays } from './identities.ts'

/** Unlinks one of the viewer's accounts at providers. Never the last way in. */
export const unlink = personalProcedure
  .meta({ limits: factorChange, audit: 'account.unlinkIdentity', proof: 'fresh' })
  .input(z.strictObject({ id: z.uuid() }))
  .mutation(async ({ ctx, input: { id } }) => {
    const { db, site } = ctx.app
    const { userId } = ctx.viewer
    await transact(db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      const identity = await tx.linkedIdentity.findUnique({
        where: { id, userId },
        select: { issuer: true, email: true },
      })
      if (!identity) throw refuse('identity-not-found')
      const { passwordHash } = await tx.user.findUniqueOrThrow({
        where: { id: userId },
        select: { passwordHash: true },
      })
      const hasPassword = passwordHash !== NO_PASSWORD && site.read().passwords
      if ((await countOtherWays(tx, userId, { except: id, hasPassword })) === 0) throw refuse('last-way-in')
      await tx.linkedIdentity.delete({ where: { id }, select: { id: true } })
      const { email, issuer } = identity
      const provider = await tx.oidcProvider.findUnique({ where: { issuer }, select: { name: true } })
      await writeAudit(tx, toActor(ctx), {
        action: 'account.unlinkIdentity',
        target: `user/${userId}`,
        account: ownAccount(ctx.viewer),
        before: { provider: provider?.name ?? issuer, email },
        after: null,
      })
    })
    return { id }
  })
