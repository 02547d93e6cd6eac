import { adminProcedure } from '#server/trpc/init.ts'
import { limitAdminView } from '../limits.ts'
import { type StatsView, sampleStats, statsView } from './stats-view.ts'

/** Returns the limiter's current figures. */
export const readStats = adminProcedure.meta({ limits: limitAdminView }).query(async ({ ctx }): Promise<StatsView> => {
  const { db, limiter, config } = ctx.app
  return statsView(await sampleStats(db, limiter), ctx.viewer, config.redisUrl ? 'redis' : 'in process')
})
