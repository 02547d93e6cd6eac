import { adminProcedure } from '#server/trpc/init.ts'
import { operationsLive } from './limits.ts'
import type { StatsView } from './stats-view.ts'

/** What the limiter does, at once and then each second, until the line or the session ends. */
export const watchStats = adminProcedure
  .meta({ limits: operationsLive })
  .subscription(async function* (): AsyncGenerator<StatsView, void, undefined> {})
