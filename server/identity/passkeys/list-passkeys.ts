import { accountView } from '#server/accounts/limits.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { canHavePasskeys, rpIdOf } from './relying-party.ts'

/** Returns the passkeys of the viewer's account, the latest first, and whether more can be added. */
export const passkeys = personalProcedure.meta({ limits: accountView }).query(async ({ ctx }) => {
  const { db, config, site } = ctx.app
  const rows = await db.passkey.findMany({
    where: { userId: ctx.viewer.userId },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    select: { id: true, name: true, isBackedUp: true, rpId: true, createdAt: true, lastUsedAt: true },
  })
  const items = rows.map(({ createdAt, lastUsedAt, rpId, ...passkey }) => ({
    ...passkey,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    /** The host name of another address of the site, where alone it works; null if it works here. */
    worksAt: rpId === rpIdOf(config) ? null : rpId,
  }))
  return {
    items,
    /** Whether the site's address is one that browsers have passkeys for. */
    isPossible: canHavePasskeys(config),
    isOff: site.read().secondFactor === 'off',
  }
})
