import { expect, test, vi } from 'vitest'
import { listRuns } from '#server/jobs/runs.ts'
import { jobsDone } from '#testing/jobs/jobs-done.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'
import { sweeping, trash } from './maintenance-jobs.ts'

test('a process whose clock is ahead purges nothing early', async () => {
  await using served = await startApp({ DATABASE_URL: await createPostgresDatabase() })
  const { db, jobs } = served.app
  const owner = await served.person()
  await insertBareImage(db, owner.viewer.userId, { trashed: true })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 365 * 24 * 60 * 60_000 })
  await jobs.send(null, trash, [{ data: {} }])
  await jobs.send(null, sweeping, [{ data: {} }])
  await jobsDone(served.app)
  expect(await listRuns(db, jobs)).toMatchObject([
    { name: 'trash', report: { purged: 0 } },
    { name: 'sweep', report: { orphans: 0 } },
  ])
  expect(await db.image.count()).toBe(1)
})
