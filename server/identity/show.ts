import { personalProcedure } from '#server/trpc/init.ts'
import { accountView } from '../accounts/limits.ts'
import { readFactors, requiresFactor } from './factors.ts'

/** Returns what the viewer's account can prove itself with, and what the site says about second factors. */
export const show = personalProcedure.meta({ limits: accountView, settingUp: true }).query(async ({ ctx }) => {
  const { db, site } = ctx.app
  const rule = site.read().secondFactor
  return { factors: await readFactors(db, ctx.viewer.userId), rule, isRequired: requiresFactor(rule, ctx.viewer) }
})
