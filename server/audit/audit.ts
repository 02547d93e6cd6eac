import type { Viewer } from '#server/accounts/viewer.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

/** Who does something, and in which request. */
export interface Actor {
  readonly userId: string
  readonly username: string
  readonly requestId: string
}

/** What was done, and how it was before and afterwards; null for what was not there. */
export interface AuditedChange {
  /** The procedure's path. */
  readonly action: string
  /** What it was done to, the general before the special. */
  readonly target: string
  readonly before: Prisma.InputJsonObject | null
  readonly after: Prisma.InputJsonObject | null
}

/** Writes down what an administrator did, in the transaction that does it. */
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

/** Who calls a procedure. */
export function actorOf({ viewer, requestId }: { readonly viewer: Viewer; readonly requestId: string }): Actor {
  return { userId: viewer.userId, username: viewer.username, requestId }
}
