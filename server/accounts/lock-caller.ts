import { TRPCError } from '@trpc/server'
import type { Transaction } from '#server/database/database.ts'
import type { Viewer } from './viewer.ts'

/** Locks the row of whoever calls until the transaction ends, and refuses those whose session has ended since: what shuts
 *  them out, or changes their rights, ends that, and comes wholly before what they do or wholly behind. */
export async function lockCaller(tx: Transaction, caller: Viewer): Promise<void> {
  await tx.$queryRaw`SELECT id FROM "User" WHERE id = ${caller.userId}::uuid FOR NO KEY UPDATE`
  await refuseEnded(tx, caller)
}

/** The same where the row is locked already. */
export async function refuseEnded(tx: Transaction, { userId, sessionId }: Viewer): Promise<void> {
  const isStillIn = sessionId !== null && (await tx.session.count({ where: { id: sessionId, userId } })) > 0
  if (!isStillIn) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Sign in first.' })
}
