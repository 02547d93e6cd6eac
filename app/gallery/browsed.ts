import type { ImageItem } from '#app/connection/trpc.ts'

let near: readonly ImageItem[] = []
let isOpened = false
let viewed: string | null = null

/** What a list and the page of an image that is opened from it tell each other. Which list it is stands in the address. */
export const browsed = {
  /** Called when an image is opened, with the images around it. */
  open(around: readonly ImageItem[]): void {
    near = around
    isOpened = true
  },
  /** Returns the images around the one that was opened, as they stood in the list: until the server has told its neighbours. */
  around: (): readonly ImageItem[] => near,
  /** Returns, once, whether an image was opened from a list: Back leads there. */
  takeOpened(): boolean {
    const was = isOpened
    isOpened = false
    return was
  },
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
