import { adminProcedure } from '#server/trpc/init.ts'
import { operationsView } from './limits.ts'
import type { StatsView } from './stats-view.ts'

const NOTHING: StatsView = {
  at: 0,
  processes: 1,
  rows: [],
  labels: [],
  nearest: [],
  mostRefused: [],
  store: 'in process',
  status: 'ready',
}

/** What the limiter does right now. */
export const readStats = adminProcedure.meta({ limits: operationsView }).query(async (): Promise<StatsView> => NOTHING)
