import { personalAdminProcedure } from '#server/trpc/init.ts'
import { accountView } from '../limits.ts'
import { usable } from './usable-invite.ts'

/** The maximum number of usable invites, so that the list is complete. */
export const MAX_INVITES = 200

/** Returns the usable invites, newest first, without their codes. */
export const listInvites = personalAdminProcedure.meta({ limits: accountView }).query(async ({ ctx }) => {
  const invites = await ctx.app.db.invite.findMany({
    where: usable(),
    orderBy: { createdAt: 'desc' },
    take: MAX_INVITES,
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
