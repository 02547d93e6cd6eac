import { personalProcedure } from '#server/trpc/init.ts'
import { accountChange } from '../limits.ts'
import { endSessions } from './sessions.ts'

/** Ends every session of one's own, this one included. Tokens stay: programs are not signed in. */
export const signOutEverywhere = personalProcedure.meta({ limits: accountChange }).mutation(async ({ ctx }) => {
  await endSessions(ctx.app.db, ctx.viewer.userId)
  return { userId: ctx.viewer.userId }
})
