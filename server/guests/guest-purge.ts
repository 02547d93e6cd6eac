import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { readDatabaseTime } from '#server/database/database-time.ts'
import { transact } from '#server/database/transact.ts'
import type { Images } from '#server/images/images.ts'
import { defineJob } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

/** Deletes guests' images that have ended, and what interrupted uploads have left, every ten minutes. */
export const guestPurge = defineJob({
  name: 'guest-purge',
  data: z.strictObject({}),
  schedule: '*/10 * * * *',
  retries: { limit: 3, delaySeconds: 60, delayMaxSeconds: 15 * 60 },
  expireSeconds: 60 * 60,
  keepSeconds: 2 * 24 * 60 * 60,
})

interface Parts {
  readonly db: PrismaClient
  readonly images: Pick<Images, 'lockUserImages' | 'purgeUserImages'>
}

export const workGuestPurge = (jobs: JobQueue, parts: Parts): Promise<void> =>
  jobs.work(guestPurge, async (_, { signal }) => ({ purged: await purgeGuests(parts, signal) }))

/** Removes the accounts that are due, in short transactions of one each; returns how many. */
export async function purgeGuests(parts: Parts, signal?: AbortSignal): Promise<number> {
  const due = { guestUntil: { lte: await readDatabaseTime(parts.db) } }
  for (let purged = 0; ; purged += 1) {
    signal?.throwIfAborted()
    const account = await parts.db.user.findFirst({ where: due, select: { id: true } })
    if (!account) return purged
    await removeGuestAccount(parts, { id: account.id, where: due })
  }
}

/** Deletes a guest's account with its image; a job deletes the bytes. Returns false if the account is gone, or is not as `where` says any more. */
export function removeGuestAccount(
  { db, images }: Parts,
  { id, where }: { readonly id: string; readonly where: Prisma.UserWhereInput },
  record?: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  return transact(db, async (tx) => {
    const locked = await images.lockUserImages(tx, id)
    await tx.$queryRaw`SELECT 1 FROM "User" WHERE "id" = ${id}::uuid FOR UPDATE`
    if ((await tx.user.count({ where: { AND: [{ id, guestUntil: { not: null } }, where] } })) === 0) return false
    await images.purgeUserImages(tx, id, locked)
    await record?.(tx)
    await tx.user.delete({ where: { id }, select: { id: true } })
    return true
  })
}
