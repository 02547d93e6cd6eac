import { accountView } from '#server/accounts/limits.ts'
import { NO_PASSWORD } from '#server/accounts/passwords.ts'
import { personalProcedure } from '#server/trpc/init.ts'

/** Returns the viewer's accounts at providers, the providers that can be linked, and whether the account has a password. */
export const linked = personalProcedure.meta({ limits: accountView }).query(async ({ ctx }) => {
  const { db, site } = ctx.app
  const { userId } = ctx.viewer
  const [identities, providers, { passwordHash }] = await Promise.all([
    db.linkedIdentity.findMany({
      where: { userId },
      orderBy: [{ linkedAt: 'asc' }, { id: 'asc' }],
      select: { id: true, issuer: true, email: true, linkedAt: true, lastUsedAt: true },
    }),
    db.oidcProvider.findMany({
      orderBy: [{ position: 'asc' }, { name: 'asc' }],
      select: { name: true, label: true, issuer: true, isEnabled: true },
    }),
    db.user.findUniqueOrThrow({ where: { id: userId }, select: { passwordHash: true } }),
  ])
  const items = identities.map(({ issuer, linkedAt, lastUsedAt, ...identity }) => {
    const provider = providers.find((each) => each.issuer === issuer)
    return {
      ...identity,
      /** The provider's label. */
      provider: provider?.label ?? issuer,
      /** Whether it signs in now. */
      isUsable: provider?.isEnabled === true,
      linkedAt: linkedAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    }
  })
  const isFree = ({ issuer, isEnabled }: (typeof providers)[number]) =>
    isEnabled && !identities.some((identity) => identity.issuer === issuer)
  return {
    items,
    /** Enabled providers at which the account has none yet. */
    available: providers.filter(isFree).map(({ name, label }) => ({ name, label })),
    hasPassword: passwordHash !== NO_PASSWORD,
    /** Whether passwords sign in on this site. */
    passwords: site.read().passwords,
  }
})
