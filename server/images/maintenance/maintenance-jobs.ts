import { z } from 'zod'
import { timeOf } from '#server/database/time-of.ts'
import { defineJob } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import type { Removals } from '../storing/removals.ts'
import { type SweepParts, sweep } from './sweep.ts'
import { purgeDue } from './trash-purge.ts'

const DAY_SECONDS = 24 * 60 * 60

const upkeep = {
  data: z.strictObject({}),
  retries: { limit: 3, delaySeconds: 60, delayMaxSeconds: 15 * 60 },
  // As long as it takes: a process that lives says so.
  expireSeconds: DAY_SECONDS,
  heartbeatSeconds: 120,
}

/** Empties the trash of what is due, every hour. */
export const trash = defineJob({ ...upkeep, name: 'trash', schedule: '7 * * * *', keepSeconds: 2 * DAY_SECONDS })

/** Sweeps the store of what no image needs, every day. */
export const sweeping = defineJob({ ...upkeep, name: 'sweep', schedule: '37 3 * * *', keepSeconds: 30 * DAY_SECONDS })

/** From now on this process does both when they are due. */
export async function workMaintenance(
  jobs: JobQueue,
  parts: SweepParts & {
    readonly removals: Removals
    readonly trashDays: number
    /** Sees to what crashes have left undone. */
    finishForgotten(): Promise<void>
  },
): Promise<void> {
  const { db, removals, trashDays } = parts
  await jobs.work(trash, async (_, { signal }) => {
    const purged = await purgeDue(db, { days: trashDays, now: await timeOf(db), removals, signal })
    await parts.finishForgotten()
    return { purged }
  })
  await jobs.work(sweeping, async (_, { signal }) => {
    const before = new Date((await timeOf(db)).getTime() - DAY_SECONDS * 1_000)
    return { ...(await sweep(parts, before, signal)) }
  })
}
