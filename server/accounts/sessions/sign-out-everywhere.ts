import { personalProcedure } from '#server/trpc/init.ts'
import { revocation } from '../limits.ts'
import { endSessions } from './sessions.ts'

/** Ends all of the viewer's sessions, including this one. API tokens stay valid. */
export const signOutEverywhere = personalProcedure.meta({ limits: revocation }).mutation(async ({ ctx }) => {
  await endSessions(ctx.app.db, ctx.viewer.userId)
  return { userId: ctx.viewer.userId }
})
