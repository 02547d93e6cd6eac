import { router } from '#server/trpc/init.ts'
import { discardJob, retryJob } from './change-job.ts'
import { listJobs } from './list-jobs.ts'

export const jobRouter = router({ list: listJobs, retry: retryJob, discard: discardJob })
