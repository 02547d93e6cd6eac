import { z } from 'zod'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { lockCaller } from '../lock-caller.ts'
import { displayNameSchema, showsUsername, soundsOfficial } from './display-name.ts'
import { profileChange } from './limits.ts'

/** Null for none. */
const input = z.strictObject({ displayName: displayNameSchema.nullable() })

/** Changes the name that others see of the viewer. Returns it as it was cleaned. */
export const setDisplayName = personalProcedure
  .meta({ limits: profileChange, audit: 'account.setDisplayName' })
  .input(input)
  .mutation(({ ctx, input: { displayName } }) => {
    const { userId: id, username } = ctx.viewer
    if (displayName !== null && showsUsername(displayName, username)) throw refuse('display-name-is-username')
    if (displayName !== null && soundsOfficial(displayName, ctx.app.site.read().name))
      throw refuse('display-name-official')
    return transact(ctx.app.db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      const before = await tx.user.findUniqueOrThrow({ where: { id }, select: { displayName: true } })
      await tx.user.update({ where: { id }, data: { displayName }, select: { id: true } })
      const act = { action: 'account.setDisplayName', target: `user/${id}`, account: ownAccount(ctx.viewer) } as const
      if (before.displayName !== displayName)
        await writeAudit(tx, toActor(ctx), { ...act, before, after: { displayName } })
      return { displayName, previous: before.displayName }
    })
  })
