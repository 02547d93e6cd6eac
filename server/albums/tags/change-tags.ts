import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { changedImages } from '#server/images/bulk/changed-images.ts'
import { imageIds } from '#server/images/bulk/ids.ts'
import { findProtected, lockImages } from '#server/images/bulk/lock-images.ts'
import { type NotDone, refusalToEdit } from '#server/images/bulk/outcome.ts'
import type { UserContext } from '#server/images/bulk/user-context.ts'
import type { ImageItem } from '#server/images/image-item.ts'
import { tagName } from '#server/images/tag-name.ts'
import { lockTags, type TagRow } from './tag-rows.ts'

/** The most tags of a call. */
export const MAX_TAGS = 20

export const tagsOfImages = z.strictObject({ images: imageIds, tags: z.array(tagName).min(1).max(MAX_TAGS) })

/** What became of one image; `changed` are the tags that it was given or has lost, for an undo. */
export type TaggedItem =
  | {
      readonly id: string
      readonly outcome: 'done'
      readonly image: ImageItem
      readonly changed: readonly string[]
    }
  | { readonly id: string; readonly outcome: NotDone | 'too-many-tags' }

/** What was done to the images of one owner. */
interface Change {
  readonly tags: readonly TagRow[]
  readonly pairs: readonly { readonly imageId: string; readonly tagId: string }[]
  /** Images that could not be given the tags. */
  readonly full?: ReadonlySet<string>
}

/** Changes the tags of the images that the caller may edit: `work` is called for each owner, whose tags and images are locked. */
export async function changeTags(
  ctx: UserContext,
  ids: readonly string[],
  work: (tx: Transaction, ownerId: string, images: readonly string[]) => Promise<Change>,
): Promise<{ readonly items: readonly TaggedItem[] }> {
  const found = await findProtected(ctx.app.db, ids)
  const refusals = new Map(ids.map((id) => [id, refusalToEdit(ctx.viewer, found.get(id))]))
  const editable = ids.filter((id) => refusals.get(id) === null)
  const { images, full, changed } = await transact(ctx.app.db, async (tx) => {
    const locked = await lockImages(tx, editable)
    const owned = Map.groupBy(locked.values(), ({ ownerId }) => ownerId)
    const full = new Set<string>()
    const changed = new Map<string, string[]>()
    for (const ownerId of [...owned.keys()].sort()) {
      await lockTags(tx, ownerId)
      const own = owned.get(ownerId) ?? []
      const change = await work(
        tx,
        ownerId,
        own.map(({ id }) => id),
      )
      for (const id of change.full ?? []) full.add(id)
      const names = new Map(change.tags.map(({ id, name }) => [id, name]))
      for (const { imageId, tagId } of change.pairs) {
        changed.set(imageId, [...(changed.get(imageId) ?? []), names.get(tagId) ?? ''])
      }
    }
    const done = [...locked.keys()].filter((id) => !full.has(id))
    return { images: await changedImages(tx, done, ctx), full, changed }
  })
  const items = ids.map((id): TaggedItem => {
    const image = images.get(id)
    if (image) return { id, outcome: 'done', image, changed: (changed.get(id) ?? []).sort() }
    return { id, outcome: full.has(id) ? 'too-many-tags' : (refusals.get(id) ?? 'not-found') }
  })
  return { items }
}
