import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Viewer } from '../accounts/viewer.ts'

/*
 * A procedure that declares `proof: 'fresh'` asks for a proof of the last ten minutes: signing in is one, and so is anything after which
 * `noteProof` is called. server/trpc/session-refusals.ts refuses all others with `proof-needed`, and pages ask for one and repeat the
 * call (app/connection/proof-link.ts).
 */

/** Records that the viewer has just proven who they are. Throws UNAUTHORIZED if their session has ended. */
export async function noteProof(
  db: PrismaClient | Transaction,
  { sessionId, userId }: Pick<Viewer, 'sessionId' | 'userId'>,
): Promise<void> {
  const where = { id: sessionId ?? '', userId }
  const { count } =
    sessionId === null ? { count: 0 } : await db.session.updateMany({ where, data: { provedAt: new Date() } })
  if (count === 0) throw refuse('signed-out')
}
