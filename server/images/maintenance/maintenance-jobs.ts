import { z } from 'zod'
import { readDatabaseTime } from '#server/database/database-time.ts'
import { defineJob } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import type { Removals } from '../storing/removals.ts'
import { type SweepParts, sweep } from './sweep.ts'
import { purgeDue } from './trash-purge.ts'

const DAY_SECONDS = 24 * 60 * 60

const maintenance = {
  data: z.strictObject({}),
  retries: { limit: 3, delaySeconds: 60, delayMaxSeconds: 15 * 60 },
  // A run may take a day; the heartbeat detects a process that has died.
  expireSeconds: DAY_SECONDS,
  heartbeatSeconds: 120,
}

/** Purges images from the trash when they are due, every hour. */
export const trash = defineJob({ ...maintenance, name: 'trash', schedule: '7 * * * *', keepSeconds: 2 * DAY_SECONDS })

/** Deletes what no image needs from the store, every day. */
export const sweeping = defineJob({
  ...maintenance,
  name: 'sweep',
  schedule: '37 3 * * *',
  keepSeconds: 30 * DAY_SECONDS,
})

export async function workMaintenance(
  jobs: JobQueue,
  parts: SweepParts & {
    readonly removals: Removals
    readonly trashDays: () => number
    /** Completes what crashes have interrupted. */
    finishForgotten(): Promise<void>
  },
): Promise<void> {
  const { db, removals, trashDays } = parts
  await jobs.work(trash, async (_, { signal }) => {
    const purged = await purgeDue(db, { days: trashDays(), now: await readDatabaseTime(db), removals, signal })
    await parts.finishForgotten()
    return { purged }
  })
  await jobs.work(sweeping, async (_, { signal }) => {
    const before = new Date((await readDatabaseTime(db)).getTime() - DAY_SECONDS * 1_000)
    return { ...(await sweep(parts, before, signal)) }
  })
}
