import type { ListPlace } from './use-image-list.ts'

let last: ListPlace | null = null
let viewed: string | null = null

/** The list from which an image was last opened. The image page finds the previous and next image in it. */
export const browsed = {
  set(place: ListPlace): void {
    last = place
  },
  get: (): ListPlace | null => last,
  /** Called when the image page shows an image. */
  view(id: string): void {
    viewed = id
  },
  /** Returns the image viewed last, once: the list focuses it on return. */
  takeViewed(): string | null {
    const id = viewed
    viewed = null
    return id
  },
}
