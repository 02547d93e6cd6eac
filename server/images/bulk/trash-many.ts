import { transact } from '#server/database/transact.ts'
import { mayRead, mayTrash, type Protected } from '#server/images/access.ts'
import { auditImages } from '#server/images/audit-images.ts'
import { moveImages } from '#server/images/image-rows.ts'
import { moderation, sharedModeration } from '#server/images/limits.ts'
import { changedImages } from './changed-images.ts'
import { findProtected, lockImages } from './lock-images.ts'
import { type BulkAnswer, bulkAnswer, type NotDone } from './outcome.ts'
import type { UserContext } from './user-context.ts'

type Right = ReturnType<typeof mayTrash> | 'not-found'

/**
 * Moves images to the trash at `trashedAt`, or restores them if that is null; one that is already there counts as done.
 * Before any change, other users' images are charged to moderation: as many of the first as its limit allows.
 */
export async function setTrashedMany(
  ctx: UserContext,
  ids: readonly string[],
  trashedAt: Date | null,
): Promise<BulkAnswer> {
  const { viewer } = ctx
  const { db } = ctx.app
  const findRight = (image: Protected | undefined): Right =>
    image && mayRead(viewer, image) ? mayTrash(viewer, image) : 'not-found'
  const found = await findProtected(db, ids)
  const rights = new Map(ids.map((id) => [id, findRight(found.get(id))]))
  const own = ids.filter((id) => rights.get(id) === 'freely')
  const others = ids.filter((id) => rights.get(id) === 'as-moderation')
  const moderated = others.slice(0, await chargeModeration(ctx, others.length))
  const done = await transact(db, async (tx) => {
    const locked = await lockImages(tx, [...own, ...moderated])
    // A moderator must not reach an image that its owner has made private in the meantime.
    const changed = [...locked.values()].filter((image) => findRight(image) === rights.get(image.id))
    const changeable = changed.map(({ id }) => id)
    await moveImages(tx, changeable, trashedAt)
    const changes = changed.map((before) => ({ before, after: { ...before, trashedAt } }))
    await auditImages(tx, ctx, trashedAt ? 'image.delete' : 'image.restore', changes)
    return changedImages(tx, changeable, ctx)
  })
  const limited = new Set(others.slice(moderated.length))
  return bulkAnswer(ids, done, (id): NotDone => {
    if (limited.has(id)) return 'limited'
    return rights.get(id) === 'no' ? 'forbidden' : 'not-found'
  })
}

async function chargeModeration(ctx: UserContext, wanted: number): Promise<number> {
  return wanted === 0 ? 0 : ctx.chargeUpTo(ctx.viewer.shared ? sharedModeration : moderation, wanted)
}
