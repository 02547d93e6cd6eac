import { expect, test, vi } from 'vitest'
import { JobQueue } from '#server/jobs/job-queue.ts'
import { keepsJobs } from '#testing/job-queue-suite.ts'
import { openPostgresDatabase } from '#testing/postgres-database.ts'

keepsJobs('PostgreSQL', openPostgresDatabase)

test('connections that the server ends are an outage, and the log learns nothing by which to cancel queries', async () => {
  const database = await openPostgresDatabase()
  const [warn, error] = [vi.fn(), vi.fn()]
  const queue = await JobQueue.open({ connection: database.connection, log: { debug: vi.fn(), warn, error } })
  await database.db.$queryRaw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'sluice jobs' AND datname = current_database()`
  await vi.waitFor(() => expect(warn).toHaveBeenCalled())
  await queue.close()
  await database.close()
  expect(error).not.toHaveBeenCalled()
  expect(JSON.stringify(warn.mock.calls)).not.toContain('secretKey')
})
