import { expect, it } from 'vitest'
import { listRuns } from '#server/jobs/runs.ts'
import { jobsDone } from '#testing/jobs/jobs-done.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'
import { settling } from './settling.ts'

it('folds past days, and finds nothing to do the second time', async () => {
  await using served = await startApp()
  const { db, jobs } = served.app
  const row = { day: new Date('2020-01-01'), procedure: 'image bytes', nanos: 3n, sent: 5n }
  await db.usageDay.createMany({ data: ['192.0.2.1', '192.0.2.2'].map((subject) => ({ ...row, subject })) })
  await db.objectUsageDay.create({ data: { day: row.day, sha256: 'x', nanos: 3n } })
  await db.imageUsageDay.create({ data: { day: row.day, image: 'x', reads: 1n } })
  for (const folded of [3, 0]) {
    await jobs.send(null, settling, [{ data: {} }])
    await jobsDone(served.app)
    expect(await listRuns(db, jobs)).toMatchObject([{ name: 'settling', report: { folded, dropped: folded / 3 } }])
    expect(await db.usageDay.findMany({ where: { day: row.day } })).toMatchObject([
      { subject: 'others', nanos: 6n, sent: 10n },
    ])
    expect(await db.objectUsageDay.findMany({ where: { day: row.day } })).toMatchObject([
      { sha256: 'others', nanos: 3n },
    ])
  }
})
