import { toActor } from '#server/audit/audit.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { revocation } from '../limits.ts'
import { endToken } from './tokens.ts'

/** Revokes the token that the call is made with, so that a program can sign out. `revoked` is false without a token. */
export const revokeThisToken = personalProcedure
  .meta({ limits: revocation, scope: 'any', audit: 'token.revoke' })
  .mutation(async ({ ctx }): Promise<{ revoked: boolean }> => {
    const { token } = ctx.viewer
    return { revoked: token !== null && (await endToken(ctx.app.db, toActor(ctx), token.id)) }
  })
