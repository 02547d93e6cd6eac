import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { defineJob } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import { readFailure } from '#server/jobs/job-rows.ts'
import type { WebhookEvent } from '#server/webhooks/events.ts'
import type { RunReport } from './run-backup.ts'
import type { Standing } from './standing.ts'

const DAY_SECONDS = 24 * 60 * 60

/** Looks every ten minutes whether a backup is due, and whether the last good one is too old. */
export const checking = defineJob({
  name: 'backup-check',
  data: z.strictObject({}),
  retries: { limit: 3, delaySeconds: 60, delayMaxSeconds: 15 * 60 },
  expireSeconds: 60,
  schedule: '*/10 * * * *',
  keepSeconds: DAY_SECONDS,
})

/** Makes a backup. A failed one is repeated within the hour. */
export const backingUp = defineJob({
  name: 'backup',
  data: z.strictObject({ cause: z.enum(['schedule', 'page']) }),
  retries: { limit: 3, delaySeconds: 5 * 60, delayMaxSeconds: 30 * 60 },
  // It may take a day; the heartbeat detects a process that has died.
  expireSeconds: DAY_SECONDS,
  heartbeatSeconds: 120,
})

/** Of several that are queued at once, one is made. */
const KEY = 'backup'

interface JobParts {
  readonly db: PrismaClient
  /** Null without a destination. */
  readonly readStanding: () => Promise<Standing | null>
  readonly run: (cause: 'schedule' | 'page', signal: AbortSignal) => Promise<RunReport>
  readonly announce: (tx: Transaction, event: WebhookEvent) => Promise<void>
}

export async function workBackups(jobs: JobQueue, { db, readStanding, run, announce }: JobParts): Promise<void> {
  await jobs.work(backingUp, async ({ cause }, { signal }) => {
    const { objects, sentObjects, sentBytes, pruned } = await run(cause, signal)
    return { objects, sentObjects, sentBytes, pruned }
  })
  await jobs.work(checking, async () => {
    const standing = await readStanding()
    if (standing === null) return { queued: 0, late: 0 }
    if (standing.isDue) await sendBackup(jobs, null, 'schedule')
    await announceLate(db, standing, announce)
    return { queued: standing.isDue ? 1 : 0, late: standing.isLate ? 1 : 0 }
  })
}

/** Queues a backup. */
export const sendBackup = (jobs: JobQueue, tx: Transaction | null, cause: 'schedule' | 'page'): Promise<void> =>
  jobs.send(tx, backingUp, [{ data: { cause }, key: KEY }])

/** Announces once that the last good backup is too old. */
async function announceLate(
  db: PrismaClient,
  { late, goodAt, now }: Standing,
  announce: JobParts['announce'],
): Promise<void> {
  if (late === null || late.isAnnounced) return
  await transact(db, async (tx) => {
    const { count } = await tx.backupRun.updateMany({ where: { id: late.id, lateAt: null }, data: { lateAt: now } })
    if (count === 0) return
    const last = await tx.backupRun.findFirst({ orderBy: { startedAt: 'desc' }, select: { failure: true } })
    const data = { lastGoodAt: goodAt?.toISOString() ?? null, error: readFailure(last?.failure)?.message ?? null }
    await announce(tx, { type: 'backup.late', timestamp: now.toISOString(), data })
  })
}
