import type { ImageItem } from '#app/connection/trpc.ts'

/** The selected images by id, in the order of their selection: the list may not hold them, because it loads only what is near. */
export type Selected = ReadonlyMap<string, ImageItem>

export const NOTHING: Selected = new Map()

/** Adds images. Those that are selected keep their place. */
export const withImages = (selected: Selected, images: readonly ImageItem[]): Selected =>
  new Map([...selected, ...images.map((image) => [image.id, image] as const)])

export function withoutImages(selected: Selected, ids: readonly string[]): Selected {
  if (!ids.some((id) => selected.has(id))) return selected
  const gone = new Set(ids)
  return new Map([...selected].filter(([id]) => !gone.has(id)))
}

/** Removes the image if it is selected, otherwise adds it. */
export const withToggled = (selected: Selected, image: ImageItem): Selected =>
  selected.has(image.id) ? withoutImages(selected, [image.id]) : withImages(selected, [image])

/** Replaces an image that was changed, if it is selected. */
export const withChanged = (selected: Selected, image: ImageItem): Selected =>
  selected.has(image.id) ? withImages(selected, [image]) : selected
