import type { ListPlace } from './use-image-list.ts'

let last: ListPlace | null = null
let looked: string | null = null

/** The list from which an image was last opened, in which the image page goes to the one before and after. */
export const browsed = {
  set(place: ListPlace): void {
    last = place
  },
  get: (): ListPlace | null => last,
  /** The image page shows this image. */
  look(id: string): void {
    looked = id
  },
  /** The image last looked at, told once: the list one comes back to begins there. */
  takeLooked(): string | null {
    const id = looked
    looked = null
    return id
  },
}
