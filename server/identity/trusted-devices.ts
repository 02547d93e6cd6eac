import { personalProcedure } from '#server/trpc/init.ts'
import { accountView } from '../accounts/limits.ts'

/** Returns the browsers whose sign-ins to the viewer's account need no second step, the latest used first. */
export const trustedDevices = personalProcedure.meta({ limits: accountView }).query(async ({ ctx }) => {
  const devices = await ctx.app.db.device.findMany({
    where: { userId: ctx.viewer.userId, trustedUntil: { gt: new Date() } },
    orderBy: [{ lastUsedAt: 'desc' }, { id: 'asc' }],
    select: { id: true, userAgent: true, address: true, lastUsedAt: true, trustedUntil: true },
  })
  const items = devices.map(({ lastUsedAt, trustedUntil, ...device }) => ({
    ...device,
    /** The last sign-in. */
    lastUsedAt: lastUsedAt.toISOString(),
    trustedUntil: (trustedUntil ?? lastUsedAt).toISOString(),
  }))
  return { items }
})
