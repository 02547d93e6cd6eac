import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { passwordError } from './credentials.ts'
import { passwordChange } from './limits.ts'
import { revokeLinksFor } from './links/one-time-link.ts'
import { viewerLane } from './password-lanes.ts'
import { hashPassword } from './passwords.ts'
import { requirePassword } from './require-password.ts'
import { endSessions } from './sessions/sessions.ts'

const input = z.strictObject({ currentPassword: z.string().max(1000), newPassword: z.string().max(1000) })

/** Changes the viewer's password, or sets the first one, and ends their other sessions and one-time links. API tokens stay valid: they do not depend on it. */
export const changePassword = personalProcedure
  .meta({ limits: passwordChange, audit: 'account.changePassword', proof: 'password' })
  .input(input)
  .mutation(async ({ ctx, input, signal }) => {
    const { db, site } = ctx.app
    const { userId, username, sessionId } = ctx.viewer
    if (!site.read().passwords) throw refuse('passwords-off')
    const turn = { lane: viewerLane(ctx.viewer), signal }
    const user = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { passwordHash: true } })
    await requirePassword(ctx, user.passwordHash, { password: input.currentPassword, turn })
    const problem = passwordError(input.newPassword, username, 'newPassword')
    if (problem) throw new TRPCError({ code: 'BAD_REQUEST', cause: problem })
    const passwordHash = await hashPassword(input.newPassword, turn)
    await db.$transaction(async (tx) => {
      // Matches the hash that was verified, so that a concurrent reset by an admin is not overwritten.
      const changed = await tx.user.updateMany({ where: { id: userId, ...user }, data: { passwordHash } })
      if (changed.count === 0) throw refuse('wrong-current-password')
      await endSessions(tx, userId, sessionId ?? undefined)
      await revokeLinksFor(tx, userId)
      await writeAudit(tx, toActor(ctx), {
        action: 'account.changePassword',
        target: `user/${userId}`,
        account: ownAccount(ctx.viewer),
        before: null,
        after: null,
      })
      await ctx.app.mail.note(tx, toActor(ctx), 'password')
    })
    return { username }
  })
