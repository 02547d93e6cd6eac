import { adminProcedure } from '#server/trpc/init.ts'
import { limitAdminView } from '../limits.ts'
import { type StatsView, sampleStats, statsView } from './stats-view.ts'

/** Returns the limiter's current figures. */
export const readStats = adminProcedure.meta({ limits: limitAdminView }).query(async ({ ctx }): Promise<StatsView> => {
  const { db, limiter, limitAdmin, config } = ctx.app
  const sample = await sampleStats({ db, limiter, catalogue: limitAdmin.catalogue, origin: config.origin })
  return statsView(sample, ctx.viewer, config.redisUrl ? 'redis' : 'in process')
})
