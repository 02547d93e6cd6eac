import { z } from 'zod'
import { emailSchema } from '#server/accounts/email/address.ts'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { mailTest } from './limits.ts'

/** Sends a mail with the settings in force, without a job, so that the answer says what failed. */
export const testMail = superadminProcedure
  .meta({ limits: mailTest, audit: 'mail.test' })
  .input(z.strictObject({ to: emailSchema }))
  .mutation(async ({ ctx, input: { to }, signal }): Promise<{ to: string }> => {
    const { mail, db } = ctx.app
    // First: what is not recorded does not happen.
    await transact(db, (tx) =>
      writeAudit(tx, toActor(ctx), { action: 'mail.test', target: 'mail', before: null, after: { to: to.text } }),
    )
    await mail.test(to.text, signal)
    return { to: to.text }
  })
