import type { Place } from './use-image-list.ts'

let last: Place | null = null

/** The list from which an image was last opened, in which the image page goes to the one before and after. */
export const browsed = {
  set(place: Place): void {
    last = place
  },
  get: (): Place | null => last,
}
