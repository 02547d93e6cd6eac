import { listRuns } from '#server/jobs/runs.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { accountView } from './limits.ts'

/** Returns the last run of each scheduled background job: when it started and ended, and its result. */
export const siteMaintenance = superadminProcedure
  .meta({ limits: accountView })
  .query(({ ctx }) => listRuns(ctx.app.db, ctx.app.jobs))
