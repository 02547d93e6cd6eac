import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { defineJob } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import { foldUsage } from './usage-rows.ts'

/**
 * Settles days that are over, every day soon after midnight: of who has caused what only the dearest are kept one by one.
 * What a process writes of a day later than that is settled the next time.
 */
export const settling = defineJob({
  name: 'settling',
  data: z.strictObject({}),
  schedule: '12 0 * * *',
  retries: { limit: 6, delaySeconds: 60, delayMaxSeconds: 60 * 60 },
  expireSeconds: 60 * 60,
  keepSeconds: 30 * 24 * 60 * 60,
})

/** From now on this process settles. */
export function workSettling(jobs: JobQueue, db: PrismaClient): Promise<void> {
  return jobs.work(settling, async () => ({ folded: await foldUsage(db, await today(db)) }))
}

const clock = z.tuple([z.object({ day: z.iso.date() })])

/** By the database's clock: a day that another process is still in is not over. */
async function today(db: PrismaClient): Promise<string> {
  const rows = await db.$queryRaw`SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "day"`
  return clock.parse(rows)[0].day
}
