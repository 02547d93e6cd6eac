import { personalAdminProcedure } from '#server/trpc/init.ts'
import { accountView } from './limits.ts'

/** The invites that can still be used, newest first; never their codes. */
export const listInvites = personalAdminProcedure.meta({ limits: accountView }).query(async ({ ctx }) => {
  const invites = await ctx.app.db.invite.findMany({
    where: { usesLeft: { gt: 0 }, expiresAt: { gt: new Date() } },
    orderBy: { createdAt: 'desc' },
    take: 200,
    select: { id: true, usesLeft: true, expiresAt: true, createdAt: true, createdBy: { select: { username: true } } },
  })
  const items = invites.map(({ id, usesLeft, expiresAt, createdAt, createdBy }) => ({
    id,
    usesLeft,
    expiresAt: expiresAt.toISOString(),
    createdAt: createdAt.toISOString(),
    createdBy: createdBy?.username ?? null,
  }))
  return { items }
})
