import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { readDatabaseTime } from '#server/database/database-time.ts'
import { defineJob } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'

/** For how long a deleted album can be restored, at least. */
const KEPT_MS = 24 * 60 * 60_000

/** Deletes the rows of deleted albums, every day. */
const albumPurge = defineJob({
  name: 'album-purge',
  data: z.strictObject({}),
  schedule: '41 4 * * *',
  retries: { limit: 3, delaySeconds: 60, delayMaxSeconds: 15 * 60 },
  expireSeconds: 60 * 60,
})

export const workAlbumPurge = (jobs: JobQueue, db: PrismaClient): Promise<void> =>
  jobs.work(albumPurge, async (_, { signal }) => ({ purged: await purgeAlbums(db, signal) }))

/** Deletes the albums that were deleted more than a day ago, in short transactions of one each; returns how many. */
export async function purgeAlbums(db: PrismaClient, signal?: AbortSignal): Promise<number> {
  const before = new Date((await readDatabaseTime(db)).getTime() - KEPT_MS)
  const where = { deletedAt: { lt: before } }
  for (let purged = 0; ; purged += 1) {
    signal?.throwIfAborted()
    const due = await db.album.findFirst({ where, select: { id: true } })
    if (!due) return purged
    await db.album.deleteMany({ where: { id: due.id, ...where } })
  }
}
