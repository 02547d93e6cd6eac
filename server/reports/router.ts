import { router } from '#server/trpc/init.ts'
import { createReport } from './create-report.ts'
import { listReports } from './list-reports.ts'
import { reopenReport } from './reopen-report.ts'
import { resolveReport } from './resolve-report.ts'

export const reportRouter = router({
  create: createReport,
  list: listReports,
  resolve: resolveReport,
  reopen: reopenReport,
})
