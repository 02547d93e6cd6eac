import { isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import type { Transaction } from '#server/database/database.ts'
import { auditedShare } from './audited-share.ts'

/** Locks a share that the viewer may change, their own or for a superadmin any, and returns what the audit needs; null for any
 *  other. */
export async function lockShare(tx: Transaction, viewer: Viewer, id: string) {
  await tx.$queryRaw`SELECT 1 FROM "Share" WHERE "id" = ${id}::uuid FOR UPDATE`
  return tx.share.findFirst({
    where: { id, ...(!isSuperadmin(viewer) && { ownerId: viewer.userId }) },
    select: { ...auditedShare.columns, owner: { select: { id: true, username: true } } },
  })
}
