import { lockCaller } from '#server/accounts/lock-caller.ts'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { hasSecondFactor, readFactors } from './factors.ts'
import { factorChange } from './limits.ts'
import { createRecoveryCodes } from './second-step/recovery.ts'

/** Gives the viewer's account new recovery codes, which are shown once; those that it had end. */
export const remakeRecoveryCodes = personalProcedure
  .meta({ limits: factorChange, audit: 'account.remakeRecoveryCodes', proof: 'fresh' })
  .mutation(async ({ ctx }) => {
    const { userId } = ctx.viewer
    const recoveryCodes = await transact(ctx.app.db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      const factors = await readFactors(tx, userId)
      if (!hasSecondFactor(factors)) throw refuse('factor-not-found')
      const codes = await createRecoveryCodes(tx, userId)
      await writeAudit(tx, toActor(ctx), {
        action: 'account.remakeRecoveryCodes',
        target: `user/${userId}`,
        account: ownAccount(ctx.viewer),
        before: { codesLeft: factors.recoveryCodes },
        after: { codesLeft: codes.length },
      })
      await ctx.app.mail.note(tx, toActor(ctx), 'recovery-codes')
      return codes
    })
    return { recoveryCodes }
  })
