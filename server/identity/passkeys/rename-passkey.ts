import { z } from 'zod'
import { lockCaller } from '#server/accounts/lock-caller.ts'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { factorChange } from '../limits.ts'
import { passkeyName } from './name.ts'

/** Renames one of the viewer's passkeys. */
export const renamePasskey = personalProcedure
  .meta({ limits: factorChange, audit: 'account.renamePasskey' })
  .input(z.strictObject({ id: z.uuid(), name: passkeyName }))
  .mutation(async ({ ctx, input: { id, name } }) => {
    const { userId } = ctx.viewer
    await transact(ctx.app.db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      const before = await tx.passkey.findUnique({ where: { id, userId }, select: { name: true } })
      if (!before) throw refuse('passkey-not-found')
      await tx.passkey.update({ where: { id }, data: { name }, select: { id: true } })
      await writeAudit(tx, toActor(ctx), {
        action: 'account.renamePasskey',
        target: `passkey/${id}`,
        account: ownAccount(ctx.viewer),
        before,
        after: { name },
      })
    })
    return { id, name }
  })
