import { personalProcedure } from '#server/trpc/init.ts'
import { accountView } from '../limits.ts'

/** Returns the viewer's sessions, newest first. */
export const listSessions = personalProcedure.meta({ limits: accountView }).query(async ({ ctx }) => {
  const sessions = await ctx.app.db.session.findMany({
    where: { userId: ctx.viewer.userId, expiresAt: { gt: new Date() } },
    orderBy: { createdAt: 'desc' },
    take: 100,
    select: { id: true, userAgent: true, address: true, createdAt: true },
  })
  const items = sessions.map(({ createdAt, ...session }) => ({
    ...session,
    createdAt: createdAt.toISOString(),
    current: session.id === ctx.viewer.sessionId,
  }))
  return { items }
})
