import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { readDatabaseTime } from '#server/database/database-time.ts'
import { defineJob } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** How long a report is kept after its decision, and one that nobody has decided about after it was last reported. */
export const CLOSED_MS = 90 * DAY_MS
export const OPEN_MS = 365 * DAY_MS

/** Deletes old reports, with the addresses of those who made them, every day. */
export const reportPurge = defineJob({
  name: 'report-purge',
  data: z.strictObject({}),
  schedule: '23 4 * * *',
  retries: { limit: 3, delaySeconds: 60, delayMaxSeconds: 15 * 60 },
  expireSeconds: 60 * 60,
})

export const workReportPurge = (jobs: JobQueue, db: PrismaClient): Promise<void> =>
  jobs.work(reportPurge, async (_, { signal }) => ({ purged: await purgeReports(db, signal) }))

/** Deletes the reports that are due, in short transactions of one each; returns how many. */
export async function purgeReports(db: PrismaClient, signal?: AbortSignal): Promise<number> {
  const now = (await readDatabaseTime(db)).getTime()
  const where = {
    OR: [{ closedAt: { lt: new Date(now - CLOSED_MS) } }, { closedAt: null, lastAt: { lt: new Date(now - OPEN_MS) } }],
  }
  for (let purged = 0; ; purged += 1) {
    signal?.throwIfAborted()
    const due = await db.report.findFirst({ where, select: { id: true } })
    if (!due) return purged
    await db.report.deleteMany({ where: { id: due.id, ...where } })
  }
}
