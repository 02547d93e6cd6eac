import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Viewer } from './viewer.ts'

/**
 * Locks the caller's row until the transaction ends, and throws UNAUTHORIZED if their session has ended. Accounts, invites
 * and tokens are created and changed only under this lock: a ban or a change of rights locks the same row and ends the
 * sessions, so it comes entirely before such a change, which then fails, or entirely after it. Users change their own password
 * without it: they prove the current one (change-password.ts).
 */
export async function lockCaller(tx: Transaction, caller: Viewer): Promise<void> {
  await tx.$queryRaw`SELECT id FROM "User" WHERE id = ${caller.userId}::uuid FOR NO KEY UPDATE`
  await requireSession(tx, caller)
}

/** Throws UNAUTHORIZED if the caller's session has ended. The caller's row must already be locked. */
export async function requireSession(tx: Transaction, { userId, sessionId }: Viewer): Promise<void> {
  const hasSession = sessionId !== null && (await tx.session.count({ where: { id: sessionId, userId } })) > 0
  if (!hasSession) throw refuse('signed-out')
}
