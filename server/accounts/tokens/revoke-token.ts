import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { personalProcedure } from '#server/trpc/init.ts'
import { accountChange } from '../limits.ts'
import { endToken } from './tokens.ts'

/** Revokes one of the viewer's tokens, from the next request on. */
export const revokeToken = personalProcedure
  .meta({ limits: accountChange })
  .input(z.strictObject({ id: z.uuid() }))
  .mutation(async ({ ctx, input }) => {
    const ended = await endToken(ctx.app.db, ctx.viewer.userId, input.id)
    if (!ended) throw new TRPCError({ code: 'NOT_FOUND', message: 'There is no such token.' })
    return { id: input.id }
  })
