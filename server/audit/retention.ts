import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { readDatabaseTime } from '#server/database/database-time.ts'
import { defineJob } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** Entries deleted per statement: the embedded database serves nothing else during one. */
export const PURGED_AT_ONCE = 1_000

/** Deletes entries that are older than the site keeps them, every day. */
export const auditPurge = defineJob({
  name: 'audit-purge',
  data: z.strictObject({}),
  schedule: '17 4 * * *',
  retries: { limit: 3, delaySeconds: 60, delayMaxSeconds: 15 * 60 },
  expireSeconds: 60 * 60,
  keepSeconds: 30 * 24 * 60 * 60,
})

/** `readDays` returns for how many days entries are kept; 0 for ever. */
export function workAuditPurge(jobs: JobQueue, db: PrismaClient, readDays: () => number): Promise<void> {
  return jobs.work(auditPurge, async (_, { signal }) => ({ purged: await purgeEntries(db, readDays(), signal) }))
}

/** Deletes entries older than `days`, the oldest first; returns how many. */
export async function purgeEntries(db: PrismaClient, days: number, signal?: AbortSignal): Promise<number> {
  if (days === 0) return 0
  const before = new Date((await readDatabaseTime(db)).getTime() - days * DAY_MS)
  for (let purged = 0; ; ) {
    signal?.throwIfAborted()
    const count = await db.$executeRaw`
      DELETE FROM "AuditEntry" WHERE "id" IN (
        SELECT "id" FROM "AuditEntry" WHERE "at" < ${before} ORDER BY "at", "id" LIMIT ${PURGED_AT_ONCE}::int)`
    purged += count
    if (count < PURGED_AT_ONCE) return purged
    await yieldToEventLoop()
  }
}
