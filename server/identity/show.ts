import { personalProcedure } from '#server/trpc/init.ts'
import { accountView } from '../accounts/limits.ts'
import { readFactors, requiresFactor } from './factors.ts'
import { openTotpSecret } from './totp/factor.ts'

/** Returns what the viewer's account can prove itself with, and what the site says about second factors. */
export const show = personalProcedure.meta({ limits: accountView, settingUp: true }).query(async ({ ctx }) => {
  const { db, site, config } = ctx.app
  const { userId } = ctx.viewer
  const rule = site.read().secondFactor
  const [factors, app] = await Promise.all([
    readFactors(db, userId),
    db.totpFactor.findUnique({ where: { userId }, select: { sealedSecret: true, createdAt: true } }),
  ])
  return {
    factors,
    /** The authenticator app; null without one. One whose secret was sealed with another SLUICE_SECRET has ended. */
    app: app && {
      since: app.createdAt.toISOString(),
      hasEnded: openTotpSecret(config, { userId, ...app }) === null,
    },
    rule,
    isRequired: requiresFactor(rule, ctx.viewer),
  }
})
