import type { ImageItem } from '#app/connection/trpc.ts'
import type { BulkAnswer } from './many.ts'

export type ImageItems = readonly ImageItem[]

export type Done =
  | 'movedToTrash'
  | 'restored'
  | 'deleted'
  | 'madePrivate'
  | 'madeLink'
  | 'madePublic'
  | 'changedBack'
  | 'favourited'
  | 'unfavourited'
  | 'favouritesBack'
  | 'tagged'
  | 'tagsBack'

/** An action on images, a hundred per call, and its messages, each of which takes a count. */
export interface BulkAction {
  readonly call: (ids: string[]) => Promise<BulkAnswer>
  readonly doing: 'movingToTrash' | 'restoring' | 'deleting' | 'changing' | 'filing'
  readonly done: Done
  readonly failed: 'notMovedToTrash' | 'notRestored' | 'notDeleted' | 'notChanged'
  readonly retry: (remaining: ImageItems) => void
  /** Undoes the action for `done`. `before` holds the images as they were. */
  readonly undo?: (before: ImageItems, done: ImageItems) => void
}
