import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { defineJob } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import { dropImageUsage } from './image-usage-rows.ts'
import { foldUsage } from './usage-rows.ts'

/** Folds the usage rows of past days, soon after midnight (UTC): only the most expensive ones are kept individually, and those
 *  of images for 30 days. Rows that a process writes later for a past day are folded by the next run. */
export const settling = defineJob({
  name: 'settling',
  data: z.strictObject({}),
  schedule: '12 0 * * *',
  retries: { limit: 6, delaySeconds: 60, delayMaxSeconds: 60 * 60 },
  expireSeconds: 60 * 60,
  keepSeconds: 30 * 24 * 60 * 60,
})

export function workSettling(jobs: JobQueue, db: PrismaClient): Promise<void> {
  return jobs.work(settling, async () => {
    const day = await today(db)
    return { folded: await foldUsage(db, day), dropped: await dropImageUsage(db, day) }
  })
}

const clock = z.tuple([z.object({ day: z.iso.date() })])

/** By the database's clock, which decides for all processes whether a day is over. */
async function today(db: PrismaClient): Promise<string> {
  const rows = await db.$queryRaw`SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "day"`
  return clock.parse(rows)[0].day
}
