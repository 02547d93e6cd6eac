import type { Viewer } from '#server/accounts/viewer.ts'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import { readDatabaseTime } from '#server/database/database-time.ts'
import { refuse } from '#server/errors/refuse.ts'
import { type AuditedImage, auditImages } from '#server/images/audit-images.ts'
import { lockImages } from '#server/images/bulk/lock-images.ts'
import { setVisibility, updateImages } from '#server/images/image-rows.ts'
import type { CallContext } from '#server/trpc/context.ts'
import type { ReportAct } from './reasons.ts'

export type AdminCall = CallContext & { readonly viewer: Viewer }

interface Decision {
  readonly id: string
  readonly imageId: string
  readonly act: ReportAct
}

/** Does to the image what an admin has decided, and closes its report. Throws if another admin was faster. */
export async function closeReport(tx: Transaction, ctx: AdminCall, { id, imageId, act }: Decision): Promise<void> {
  const before = (await lockImages(tx, [imageId])).get(imageId)
  const closed = { closedAt: await readDatabaseTime(tx), outcome: act, closedBy: ctx.viewer.username }
  const { count } = await tx.report.updateMany({ where: { id, closedAt: null }, data: closed })
  if (!before || count === 0) throw refuse('report-closed')
  if (act === 'hide') await hide(tx, ctx, before)
  else if (act !== 'dismiss') await moveToTrash(tx, ctx, before, closed.closedAt)
  await writeAudit(tx, toActor(ctx), {
    action: 'report.resolve',
    target: `image/${imageId}`,
    account: await tx.user.findUnique({ where: { id: before.ownerId }, select: { id: true, username: true } }),
    before: { title: before.title, outcome: null },
    after: { title: before.title, outcome: act },
  })
}

/** Leaves no way to the image but its owner's: neither its address, nor a share, nor an album that is shared. */
async function hide(tx: Transaction, ctx: AdminCall, before: AuditedImage): Promise<void> {
  const { id: imageId } = before
  await setVisibility(tx, [imageId], 'private')
  await tx.shareImage.deleteMany({ where: { imageId } })
  await tx.albumImage.deleteMany({ where: { imageId, album: { shares: { some: {} } } } })
  await auditImages(tx, ctx, 'image.update', [{ before, after: { ...before, visibility: 'private' } }])
}

async function moveToTrash(tx: Transaction, ctx: AdminCall, before: AuditedImage, trashedAt: Date): Promise<void> {
  const [after] = await updateImages(tx, { id: before.id, trashedAt: null }, { trashedAt })
  if (after) await auditImages(tx, ctx, 'image.delete', [{ before, after }])
}
