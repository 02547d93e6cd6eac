import { runsOf } from '#server/jobs/runs.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { accountView } from './limits.ts'

/** What the site does by itself, now and then: when each task last began and ended, and what it found. */
export const siteMaintenance = superadminProcedure
  .meta({ limits: accountView })
  .query(({ ctx }) => runsOf(ctx.app.db, ctx.app.jobs))
