import { personalAdminProcedure } from '#server/trpc/init.ts'
import { accountView } from '../limits.ts'
import { usable } from './usable-invite.ts'

/** The most invites that can be used at a time, so that none is left out of the list. */
export const MOST_INVITES = 200

/** The invites that can still be used, newest first; never their codes. */
export const listInvites = personalAdminProcedure.meta({ limits: accountView }).query(async ({ ctx }) => {
  const invites = await ctx.app.db.invite.findMany({
    where: usable(),
    orderBy: { createdAt: 'desc' },
    take: MOST_INVITES,
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
