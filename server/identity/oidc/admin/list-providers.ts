import { limitAdminView } from '#server/limit-admin/limits.ts'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { callbackUrl, hasEnded, type SecondFactorCheck, secondFactorChecks } from '../provider.ts'

/** Returns the site's providers, in the order of their buttons, without their secrets. */
export const listProviders = personalAdminProcedure.meta({ limits: limitAdminView }).query(async ({ ctx }) => {
  const { db, config, site } = ctx.app
  const providers = await db.oidcProvider.findMany({ orderBy: [{ position: 'asc' }, { name: 'asc' }] })
  const counts = await db.linkedIdentity.groupBy({ by: ['issuer'], _count: true })
  const items = providers.map(({ sealedSecret, createdAt: _, position: __, ...provider }) => ({
    ...provider,
    secondFactor: toCheck(provider.secondFactor),
    hasSecret: sealedSecret !== null,
    /** The client secret was sealed with another SLUICE_SECRET, and has to be entered again. */
    hasEnded: hasEnded(config, { name: provider.name, sealedSecret }),
    callbackUrl: callbackUrl(config, provider.name),
    /** Accounts that are linked at it. */
    linked: counts.find(({ issuer }) => issuer === provider.issuer)?._count ?? 0,
  }))
  return { items, origin: config.origin, passwords: site.read().passwords, signup: site.read().signup }
})

/** A check of a newer version counts as none. */
const toCheck = (stored: string): SecondFactorCheck => secondFactorChecks.find((each) => each === stored) ?? 'here'
