import { z } from 'zod'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { revocation } from '../limits.ts'
import { endSession } from './sessions.ts'

/** Ends one of the viewer's sessions. */
export const revokeSession = personalProcedure
  .meta({ limits: revocation })
  .input(z.strictObject({ id: z.uuid() }))
  .mutation(async ({ ctx, input }) => {
    const ended = await endSession(ctx.app.db, ctx.viewer.userId, input.id)
    if (!ended) throw refuse('session-not-found')
    return { id: input.id }
  })
