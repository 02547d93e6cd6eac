import type { ImageItem } from '#app/connection/trpc.ts'

/** The selected images by id. An image from beyond the loaded list is kept as it was; for a loaded one the value is null. */
export type Selected = ReadonlyMap<string, ImageItem | null>

export const NOTHING: Selected = new Map()

/** Returns the selected images in the list's order, those from beyond it last. Loaded images that are no longer in the list are left out. */
export function listSelected(loaded: readonly ImageItem[], selected: Selected): readonly ImageItem[] {
  if (selected.size === 0) return []
  const ids = new Set(loaded.map(({ id }) => id))
  const beyond = [...selected.values()].flatMap((image) => (image === null || ids.has(image.id) ? [] : image))
  return [...loaded.filter(({ id }) => selected.has(id)), ...beyond]
}

/** Adds images of the loaded list. */
export const withLoaded = (selected: Selected, images: readonly ImageItem[]): Selected =>
  new Map([...selected, ...images.map(({ id }) => [id, null] as const)])

/** Adds images from beyond the loaded list. Images that have been loaded in the meantime keep their value. */
export const withBeyond = (selected: Selected, images: readonly ImageItem[]): Selected =>
  new Map([...images.map((image) => [image.id, image] as const), ...selected])

/** Removes the image if it is selected, otherwise adds it. */
export function withToggled(selected: Selected, image: ImageItem): Selected {
  const next = new Map(selected)
  return next.delete(image.id) ? next : withLoaded(selected, [image])
}
