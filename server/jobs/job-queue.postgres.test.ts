import { expect, test, vi } from 'vitest'
import { CannotStart } from '#server/cannot-start.ts'
import { JobQueue } from '#server/jobs/job-queue.ts'
import { keepsJobs } from '#testing/jobs/job-queue-suite.ts'
import { openPostgresDatabase } from '#testing/servers/postgres-database.ts'

keepsJobs('PostgreSQL', openPostgresDatabase)

test('says who must own the database when the user may not create the schema', async () => {
  const database = await openPostgresDatabase()
  if (database.connection.kind !== 'postgres') return expect.unreachable()
  await database.db.$executeRaw`CREATE ROLE guest LOGIN`
  const url = Object.assign(new URL(database.connection.url), { username: 'guest' })
  const connection = { kind: 'postgres', url: url.href } as const
  const log = { debug: vi.fn(), warn: vi.fn(), error: vi.fn() }
  await expect(JobQueue.open({ connection, log })).rejects.toThrow(
    new CannotStart(
      `DATABASE_URL: permission denied for database ${url.pathname.slice(1)}. Its user must own the database.`,
    ),
  )
  await database.close()
})

test('treats connections closed by the server as an outage, and keeps their cancellation keys out of the log', async () => {
  const database = await openPostgresDatabase()
  const [warn, error] = [vi.fn(), vi.fn()]
  const queue = await JobQueue.open({ connection: database.connection, log: { debug: vi.fn(), warn, error } })
  const listening = () => database.db.$queryRaw<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity
    WHERE application_name = 'sluice jobs' AND datname = current_database() AND query LIKE 'LISTEN%'`
  const [before] = await listening()
  await database.db.$queryRaw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'sluice jobs' AND datname = current_database()`
  // Wait for the new connection: closing one that is being terminated would throw an uncaught error.
  await expect.poll(async () => (await listening()).some(({ pid }) => pid !== before?.pid)).toBe(true)
  expect(warn).toHaveBeenCalled()
  await queue.close()
  await database.close()
  expect(error).not.toHaveBeenCalled()
  expect(JSON.stringify(warn.mock.calls)).not.toContain('secretKey')
})
