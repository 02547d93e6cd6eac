import { personalProcedure } from '#server/trpc/init.ts'
import { accountChange } from '../limits.ts'
import { endToken } from './tokens.ts'

/** Voids the token that the call comes with: a program signs out. False for a call that comes with none. */
export const revokeThisToken = personalProcedure
  .meta({ limits: accountChange, scope: 'any' })
  .mutation(async ({ ctx }): Promise<{ revoked: boolean }> => {
    const { token, userId } = ctx.viewer
    return { revoked: token !== null && (await endToken(ctx.app.db, userId, token.id)) }
  })
