import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { passwordError } from '../credentials.ts'
import { userAdmin } from '../limits.ts'
import { viewerLane } from '../password-lanes.ts'
import { hashPassword } from '../passwords.ts'
import { endSessions } from '../sessions/sessions.ts'
import { revokeCredentials } from '../tokens/tokens.ts'
import { changeUser } from './users.ts'

const input = z.strictObject({ id: z.uuid(), password: z.string().max(1000) })

/** Sets a user's password, and deletes all their sessions, tokens, deletion links and invites. */
export const resetPassword = personalAdminProcedure
  .meta({ limits: userAdmin })
  .input(input)
  .mutation(async ({ ctx, input, signal }) => {
    const passwordHash = await hashPassword(input.password, { lane: viewerLane(ctx.viewer), signal })
    return changeUser(ctx.app.db, ctx.viewer, input.id, async (tx, user) => {
      const problem = passwordError(input.password, user.username)
      if (problem) throw new TRPCError({ code: 'BAD_REQUEST', cause: problem })
      await tx.user.update({ where: { id: user.id }, data: { passwordHash }, select: { id: true } })
      await endSessions(tx, user.id)
      await revokeCredentials(tx, user.id)
      return { id: user.id }
    })
  })
