import { z } from 'zod'
import { toActor } from '#server/audit/audit.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { revocation } from '../limits.ts'
import { endSession } from './sessions.ts'

/** Ends one of the viewer's sessions. */
export const revokeSession = personalProcedure
  .meta({ limits: revocation, audit: 'account.revokeSession' })
  .input(z.strictObject({ id: z.uuid() }))
  .mutation(async ({ ctx, input }) => {
    const ended = await endSession(ctx.app.db, toActor(ctx), {
      sessionId: input.id,
      action: 'account.revokeSession',
    })
    if (!ended) throw refuse('session-not-found')
    return { id: input.id }
  })
