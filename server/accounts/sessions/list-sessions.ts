import { personalProcedure } from '#server/trpc/init.ts'
import { accountView } from '../limits.ts'

/** Returns the viewer's sessions, the latest used first. */
export const listSessions = personalProcedure.meta({ limits: accountView }).query(async ({ ctx }) => {
  const sessions = await ctx.app.db.session.findMany({
    where: { userId: ctx.viewer.userId, expiresAt: { gt: new Date() } },
    orderBy: [{ lastUsedAt: { sort: 'desc', nulls: 'last' } }, { createdAt: 'desc' }],
    take: 100,
    select: { id: true, userAgent: true, address: true, createdAt: true, lastUsedAt: true },
  })
  const items = sessions.map(({ createdAt, lastUsedAt, ...session }) => ({
    ...session,
    createdAt: createdAt.toISOString(),
    /** To ten minutes. */
    lastUsedAt: (lastUsedAt ?? createdAt).toISOString(),
    current: session.id === ctx.viewer.sessionId,
  }))
  return { items }
})
