import { personalProcedure } from '#server/trpc/init.ts'
import { accountView } from '../limits.ts'

const MAX_SHOWN = 10

/** Returns the latest links that have set, or can still set, the viewer's password, newest first: so that nobody uses one
 *  unnoticed. */
export const listPasswordLinks = personalProcedure.meta({ limits: accountView }).query(async ({ ctx }) => {
  const links = await ctx.app.db.oneTimeLink.findMany({
    where: {
      userId: ctx.viewer.userId,
      purpose: 'password',
      OR: [{ usedAt: { not: null } }, { expiresAt: { gt: new Date() } }],
    },
    orderBy: { createdAt: 'desc' },
    take: MAX_SHOWN,
    select: {
      createdAt: true,
      expiresAt: true,
      usedAt: true,
      usedFrom: true,
      isMailed: true,
      createdBy: { select: { displayName: true } },
    },
  })
  const items = links.map(({ createdAt, expiresAt, usedAt, usedFrom, createdBy, isMailed }) => ({
    /** The display name; null for an admin without one, or whose account has been deleted. */
    createdBy: createdBy?.displayName ?? null,
    /** Whether it was sent to the account's address, because somebody had asked for it. */
    isMailed,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    /** Null for a link that can still be used. */
    used: usedAt && { at: usedAt.toISOString(), from: usedFrom ?? '' },
  }))
  return { items }
})
