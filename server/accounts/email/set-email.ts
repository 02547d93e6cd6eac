import { z } from 'zod'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { revocation } from '../limits.ts'
import { revokeMailedLinks } from '../links/one-time-link.ts'
import { lockCaller } from '../lock-caller.ts'
import { emailSchema } from './address.ts'
import { emailChange } from './limits.ts'

const found = { email: true, pendingEmail: true } as const

/** Sends a link to an address, which becomes the viewer's once the link is used. Until then the one before stays. Whether the address
 *  is another account's is not told: that would tell whose it is. */
export const setEmail = personalProcedure
  .meta({ limits: emailChange, audit: 'account.setEmail', proof: 'fresh' })
  .input(z.strictObject({ email: emailSchema }))
  .mutation(async ({ ctx, input: { email } }) => {
    const { db, mail, site } = ctx.app
    const { userId } = ctx.viewer
    if (!site.read().mail) throw refuse('mail-off')
    await transact(db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      const before = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: found })
      // A link confirms the address that waits when it is used.
      await revokeMailedLinks(tx, userId)
      await tx.user.update({ where: { id: userId }, data: { pendingEmail: email.text }, select: { id: true } })
      await mail.send(tx, { kind: 'confirm', userId, email: email.text })
      await writeAudit(tx, toActor(ctx), {
        action: 'account.setEmail',
        target: `user/${userId}`,
        account: ownAccount(ctx.viewer),
        before,
        after: { ...before, pendingEmail: email.text },
      })
    })
    return { pendingEmail: email.text }
  })

/** Removes the viewer's address, and one that waits. Whoever reads the removed one is told. */
export const removeEmail = personalProcedure
  .meta({ limits: revocation, audit: 'account.removeEmail', proof: 'fresh' })
  .mutation(async ({ ctx }) => {
    const { db, mail } = ctx.app
    const { userId } = ctx.viewer
    await transact(db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      const before = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: found })
      if (before.email === null && before.pendingEmail === null) throw refuse('email-not-found')
      await revokeMailedLinks(tx, userId)
      const data = { email: null, emailKey: null, emailVerifiedAt: null, pendingEmail: null }
      await tx.user.update({ where: { id: userId }, data, select: { id: true } })
      const actor = toActor(ctx)
      if (before.email !== null) await mail.moved(tx, actor, before.email)
      await writeAudit(tx, actor, {
        action: 'account.removeEmail',
        target: `user/${userId}`,
        account: ownAccount(ctx.viewer),
        before,
        after: null,
      })
    })
    return { userId }
  })
