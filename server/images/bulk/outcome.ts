import type { Viewer } from '#server/accounts/viewer.ts'
import { mayEdit, mayRead, type Protected } from '#server/images/access.ts'
import type { ImageItem } from '#server/images/image-item.ts'

/** Why one of several images was not changed. */
export type NotDone =
  /** Hidden or missing: the two are not distinguishable. */
  | 'not-found'
  | 'forbidden'
  /** Beyond the caller's limit for moderation. */
  | 'limited'
  /** Only images in the trash can be deleted permanently. */
  | 'not-in-trash'

/** The outcome for one of several images. */
export type BulkItem =
  | { readonly id: string; readonly outcome: 'done'; readonly image: ImageItem | null }
  | { readonly id: string; readonly outcome: NotDone }

/** One item per requested image, in the order of the request. */
export interface BulkAnswer {
  readonly items: readonly BulkItem[]
}

/** `done` has the changed images, null for deleted ones; `others` returns the reason for each of the rest. */
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

/** Returns why the viewer may not change an image; null if they may. */
export function refusalToEdit(viewer: Viewer, image: Protected | undefined): NotDone | null {
  if (!image || !mayRead(viewer, image)) return 'not-found'
  return mayEdit(viewer, image) ? null : 'forbidden'
}
