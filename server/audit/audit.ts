import type { Viewer } from '#server/accounts/viewer.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

/** Who makes a change, and in which request. */
export interface Actor {
  readonly userId: string
  readonly username: string
  readonly requestId: string
}

/** A change, with the state before and after; null for what did not exist. */
export interface AuditedChange {
  /** The path of the procedure. */
  readonly action: string
  /** What was changed, from general to specific. */
  readonly target: string
  readonly before: Prisma.InputJsonObject | null
  readonly after: Prisma.InputJsonObject | null
}

/** Records a change by an administrator, in the transaction that makes it. The caller locks what it changes before it reads
 *  `before`, which therefore equals the previous change's `after`. */
export async function writeAudit(
  tx: Transaction,
  actor: Actor,
  { action, target, before, after }: AuditedChange,
): Promise<void> {
  await tx.auditEntry.create({
    data: {
      at: new Date(),
      actorId: actor.userId,
      actorName: actor.username,
      action,
      target,
      requestId: actor.requestId,
      ...(before && { before }),
      ...(after && { after }),
    },
    select: { id: true },
  })
}

/** Returns the caller of a procedure as an actor. */
export function toActor({ viewer, requestId }: { readonly viewer: Viewer; readonly requestId: string }): Actor {
  return { userId: viewer.userId, username: viewer.username, requestId }
}
