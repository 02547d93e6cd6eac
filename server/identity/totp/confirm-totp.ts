import { z } from 'zod'
import { lockCaller } from '#server/accounts/lock-caller.ts'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { factorChange } from '../limits.ts'
import { createRecoveryCodes } from '../second-step/recovery.ts'
import { matchCode } from './codes.ts'
import { saveTotp } from './factor.ts'
import { openSetUp } from './set-up.ts'

const input = z.strictObject({ setUp: z.string().max(1_000), code: z.string().max(100) })

/** Sets up the viewer's authenticator app, in place of an earlier one, by the first code that it shows. Returns new recovery codes,
 *  which are shown once. */
export const confirmTotp = personalProcedure
  .meta({ limits: factorChange, audit: 'account.setUpTotp', proof: 'fresh', settingUp: true })
  .input(input)
  .mutation(async ({ ctx, input: { setUp, code } }) => {
    const { db, config, site } = ctx.app
    const { userId } = ctx.viewer
    if (site.read().secondFactor === 'off') throw refuse('factors-off')
    const recoveryCodes = await transact(db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      const present = await tx.totpFactor.findUnique({ where: { userId }, select: { createdAt: true } })
      const since = present?.createdAt ?? null
      const secret = openSetUp(config, { userId, since }, setUp)
      if (secret === null) throw refuse('totp-begin-again')
      const createdAt = await saveTotp(tx, config, { userId, secret, step: requireStep(secret, code) })
      await writeAudit(tx, toActor(ctx), {
        action: 'account.setUpTotp',
        target: `user/${userId}`,
        account: ownAccount(ctx.viewer),
        before: since && { since: since.toISOString() },
        after: { since: createdAt.toISOString() },
      })
      await ctx.app.mail.note(tx, toActor(ctx), 'app-set')
      return createRecoveryCodes(tx, userId)
    })
    return { recoveryCodes }
  })

/** Returns the time step of a right code. Whoever sets up an app knows its secret, so an error may say how its clock is wrong. */
function requireStep(secret: string, code: string): number {
  const match = matchCode(secret, code, Date.now())
  if (!match) throw refuse('wrong-totp')
  if (match.isCurrent) return match.step
  const minutes = Math.abs(match.minutesOff)
  throw match.minutesOff > 0 ? refuse('totp-clock-ahead', { minutes }) : refuse('totp-clock-behind', { minutes })
}
