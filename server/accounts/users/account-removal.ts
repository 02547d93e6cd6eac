import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import type { Images } from '#server/images/images.ts'
import { defineJob } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import { endInvites } from '../tokens/tokens.ts'

/** Images that go in one transaction: an embedded database, and with it the process, serves nobody else meanwhile. */
export const PORTION = 200

const data = z.strictObject({ userId: z.uuid(), bannedAt: z.iso.datetime() })

/** An account that was banned at that instant so as to be removed. Whoever lifts the ban ends the removal. */
export type AccountRemoval = Readonly<z.output<typeof data>>

/** Ends the removal of an account that a crash has cut off. */
export const accountRemoval = defineJob({
  name: 'account-removal',
  data,
  retries: { limit: 12, delaySeconds: 60, delayMaxSeconds: 60 * 60 },
  expireSeconds: 60 * 60,
})

interface RemovalParts {
  readonly db: PrismaClient
  readonly images: Pick<Images, 'changes' | 'purgeSomeOf' | 'lockAllOf' | 'purgeAllOf'>
}

/** From now on this process ends such removals. */
export function workAccountRemovals(jobs: JobQueue, parts: RemovalParts): Promise<void> {
  return jobs.work(accountRemoval, async (removal, { signal }) => void (await removeAccount(parts, removal, signal)))
}

/** The account is there no more, or banned no more since the same instant: what was done for it is undone. */
class RemovalEnded extends Error {}

/**
 * Removes the images of an account portion by portion, with everybody else served between, and then the account. False where
 * that stays. Several may do it at once.
 */
export async function removeAccount(
  { db, images }: RemovalParts,
  { userId, bannedAt }: AccountRemoval,
  signal?: AbortSignal,
): Promise<boolean> {
  const toGo = { id: userId, bannedAt }
  const purgeSome = () =>
    transact(db, async (tx) => {
      const purged = await images.purgeSomeOf(tx, userId, PORTION)
      if ((await tx.user.count({ where: toGo })) === 0) throw new RemovalEnded()
      return purged
    })
  const removeRest = () =>
    transact(db, async (tx) => {
      await images.purgeAllOf(tx, userId, await images.lockAllOf(tx, userId))
      await endInvites(tx, userId)
      const { count } = await tx.user.deleteMany({ where: toGo })
      if (count === 0) throw new RemovalEnded()
    })
  try {
    for (let purged = await purgeSome(); purged.length > 0; purged = await purgeSome()) {
      images.changes.tell(purged)
      signal?.throwIfAborted()
      await turn()
    }
    await removeRest()
    return true
  } catch (error) {
    if (!(error instanceof RemovalEnded)) throw error
    return (await db.user.count({ where: { id: userId } })) === 0
  }
}
