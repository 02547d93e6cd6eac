import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { passwordError } from '../credentials.ts'
import { guestLane } from '../password-lanes.ts'
import { hashPassword } from '../passwords.ts'
import { endSessions } from '../sessions/sessions.ts'
import { revokeCredentials } from '../tokens/tokens.ts'
import { passwordLinkLookup } from './limits.ts'
import { spendOneTimeLink } from './one-time-link.ts'
import { findPasswordLink } from './show-by-link.ts'

const input = z.strictObject({ link: z.string().max(100), password: z.string().max(1_000) })

/** Sets the password of a link's account, uses the link up, and deletes all sessions, tokens, deletion links and invites of the
 *  account. Throws NOT_FOUND, and BAD_REQUEST for a password that cannot be used. */
export const setPasswordByLink = publicProcedure
  .meta({ limits: passwordLinkLookup, audit: 'account.setPasswordByLink' })
  .input(input)
  .mutation(async ({ ctx, input, signal }) => {
    const { db, site } = ctx.app
    if (!site.read().passwords) throw refuse('passwords-off')
    const { link, password } = input
    const { user, createdBy, isMailed } = await findPasswordLink(db, link)
    const problem = passwordError(password, user.username)
    if (problem) throw new TRPCError({ code: 'BAD_REQUEST', cause: problem })
    const { address } = ctx.caller
    const passwordHash = await hashPassword(password, { lane: guestLane(address), signal })
    await transact(db, async (tx) => {
      // The lock that opening a session takes: none opens with the old password after this.
      await tx.$queryRaw`SELECT 1 FROM "User" WHERE "id" = ${user.id}::uuid FOR NO KEY UPDATE`
      if (!(await spendOneTimeLink(tx, { link, purpose: 'password', address }))) throw refuse('unusable-link')
      await tx.user.update({ where: { id: user.id }, data: { passwordHash }, select: { id: true } })
      await endSessions(tx, user.id)
      await revokeCredentials(tx, user.id)
      const actor = toActor({ ...ctx, viewer: { userId: user.id, username: user.username } })
      const after = { address, ...(isMailed ? { isMailed } : { linkBy: createdBy?.username ?? null }) }
      await writeAudit(tx, actor, {
        action: 'account.setPasswordByLink',
        target: `user/${user.id}`,
        account: user,
        before: null,
        after,
      })
      await ctx.app.mail.note(tx, actor, 'password')
    })
    return { username: user.username }
  })
