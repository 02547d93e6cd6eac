import type { Viewer } from '#server/accounts/viewer.ts'
import type { Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import type { CallContext } from '#server/trpc/context.ts'
import { isOwn, mayTrash } from './access.ts'
import { auditImages } from './audit-images.ts'
import { lockImages } from './bulk/lock-images.ts'
import { findReadable, forbidden, notFound } from './find-image.ts'
import { type ImageItem, toItem } from './image-item.ts'
import { type ImageRow, imageColumns } from './image-row.ts'
import { updateImages } from './image-rows.ts'
import { moderation, sharedModeration } from './limits.ts'

/**
 * Moves an image to the trash at `trashedAt`, or restores it if that is null. Idempotent. Another user's image is charged to
 * moderation as well, which can only happen here, once the image is known.
 */
export async function setTrashed(
  ctx: CallContext & { readonly viewer: Viewer },
  id: string,
  trashedAt: Date | null,
): Promise<ImageItem> {
  const { db } = ctx.app
  const image = await findReadable(db, ctx.viewer, { id })
  const right = mayTrash(ctx.viewer, image)
  if (right === 'no') throw forbidden()
  if (right === 'as-moderation') await ctx.charge(ctx.viewer.shared ? sharedModeration : moderation)
  // A moderator must not reach an image that its owner has made private in the meantime.
  const where = { id, ...(right === 'as-moderation' ? { visibility: 'public' as const } : {}) }
  const move = async (tx: Transaction): Promise<ImageRow | undefined> => {
    const [moved] = await updateImages(tx, { ...where, ...(trashedAt && { trashedAt: null }) }, { trashedAt })
    return moved
  }
  const moveOthers = async (tx: Transaction) => {
    const before = (await lockImages(tx, [id])).get(id)
    const after = await move(tx)
    const action = trashedAt ? 'image.delete' : 'image.restore'
    if (before && after) await auditImages(tx, ctx, action, [{ before, after }])
    return after
  }
  const moved = await (isOwn(ctx.viewer, image) ? move(db) : transact(db, moveOthers))
  const changed = moved ?? (await db.image.findFirst({ where, select: imageColumns }))
  if (!changed) throw notFound()
  return toItem(changed, ctx.viewer, ctx.app)
}
