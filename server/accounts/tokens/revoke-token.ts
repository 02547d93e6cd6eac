import { z } from 'zod'
import { toActor } from '#server/audit/audit.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { revocation } from '../limits.ts'
import { endToken } from './tokens.ts'

/** Revokes one of the viewer's tokens, from the next request on. */
export const revokeToken = personalProcedure
  .meta({ limits: revocation, audit: 'token.revoke' })
  .input(z.strictObject({ id: z.uuid() }))
  .mutation(async ({ ctx, input }) => {
    const ended = await endToken(ctx.app.db, toActor(ctx), input.id)
    if (!ended) throw refuse('token-not-found')
    return { id: input.id }
  })
