import type { Viewer } from '#server/accounts/viewer.ts'
import { mayEdit, mayRead, type Protected } from '#server/images/access.ts'
import type { ImageItem } from '#server/images/image-item.ts'

/** Why nothing was done to an image of several; nothing of it is charged beside the call. */
export type NotDone =
  /** Hidden and missing look alike. */
  | 'not-found'
  | 'forbidden'
  /** One beyond what the caller may moderate for now. */
  | 'limited'
  /** Only from the trash are images removed for good. */
  | 'not-in-trash'

/** One of several images, and what became of it. */
export type BulkItem =
  | { readonly id: string; readonly outcome: 'done'; readonly image: ImageItem | null }
  | { readonly id: string; readonly outcome: NotDone }

/** As many items as were asked for, in that order. */
export interface BulkAnswer {
  readonly items: readonly BulkItem[]
}

/** `done` has what each image is afterwards, null for one that is no more; `others` says why the rest is as it was. */
export function bulkAnswer(
  ids: readonly string[],
  done: ReadonlyMap<string, ImageItem | null>,
  others: (id: string) => NotDone,
): BulkAnswer {
  return {
    items: ids.map((id): BulkItem => {
      const image = done.get(id)
      return image === undefined ? { id, outcome: others(id) } : { id, outcome: 'done', image }
    }),
  }
}

/** Why somebody may not change an image; null where they may. */
export function refusalToEdit(viewer: Viewer, image: Protected | undefined): NotDone | null {
  if (!image || !mayRead(viewer, image)) return 'not-found'
  return mayEdit(viewer, image) ? null : 'forbidden'
}
