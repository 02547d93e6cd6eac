import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import type { Images } from '#server/images/images.ts'
import { defineJob } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import { revokeInvites } from '../tokens/tokens.ts'

/*
 * An account is removed in batches behind a ban: the ban refuses uploads that are under way, and an embedded database serves
 * other requests in between. A job completes what a crash interrupts.
 */

/** Images deleted per transaction: the embedded database, and with it the process, serves nothing else during it. */
export const BATCH_SIZE = 200

const data = z.strictObject({ userId: z.uuid(), bannedAt: z.iso.datetime() })

/** An account that was banned at this instant for removal. Lifting the ban cancels the removal. */
export type AccountRemoval = Readonly<z.output<typeof data>>

/** Completes a removal that a crash has interrupted. */
export const accountRemoval = defineJob({
  name: 'account-removal',
  data,
  retries: { limit: 12, delaySeconds: 60, delayMaxSeconds: 60 * 60 },
  expireSeconds: 60 * 60,
})

interface RemovalParts {
  readonly db: PrismaClient
  readonly images: Pick<Images, 'purgeSomeUserImages' | 'lockUserImages' | 'purgeUserImages'>
}

export function workAccountRemovals(jobs: JobQueue, parts: RemovalParts): Promise<void> {
  return jobs.work(accountRemoval, async (removal, { signal }) => void (await removeAccount(parts, removal, signal)))
}

/** The account is gone, or no longer banned since that instant; rolls the transaction back. */
class RemovalEnded extends Error {}

/**
 * Deletes the images of an account in batches, serving other requests in between, and then the account. Returns false if
 * the account stays. Safe to run concurrently.
 */
export async function removeAccount(
  { db, images }: RemovalParts,
  { userId, bannedAt }: AccountRemoval,
  signal?: AbortSignal,
): Promise<boolean> {
  const stillBanned = { id: userId, bannedAt }
  const purgeSome = () =>
    transact(db, async (tx) => {
      const purged = await images.purgeSomeUserImages(tx, userId, BATCH_SIZE)
      if ((await tx.user.count({ where: stillBanned })) === 0) throw new RemovalEnded()
      return purged
    })
  const removeRest = () =>
    transact(db, async (tx) => {
      await images.purgeUserImages(tx, userId, await images.lockUserImages(tx, userId))
      await revokeInvites(tx, userId)
      const { count } = await tx.user.deleteMany({ where: stillBanned })
      if (count === 0) throw new RemovalEnded()
    })
  try {
    for (let purged = await purgeSome(); purged.length > 0; purged = await purgeSome()) {
      signal?.throwIfAborted()
      await yieldToEventLoop()
    }
    await removeRest()
    return true
  } catch (error) {
    if (!(error instanceof RemovalEnded)) throw error
    return (await db.user.count({ where: { id: userId } })) === 0
  }
}
