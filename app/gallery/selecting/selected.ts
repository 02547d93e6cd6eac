import type { ImageItem } from '#app/connection/trpc.ts'

/** The selected images by their ids: those that were not loaded when they were chosen as they were then, the others null. */
export type Selected = ReadonlyMap<string, ImageItem | null>

export const NOTHING: Selected = new Map()

/** The selected images in the list's order, what lies beyond it last. Of those that were loaded, what has gone is selected no more. */
export function selectedOf(loaded: readonly ImageItem[], selected: Selected): readonly ImageItem[] {
  if (selected.size === 0) return []
  const ids = new Set(loaded.map(({ id }) => id))
  const beyond = [...selected.values()].flatMap((image) => (image === null || ids.has(image.id) ? [] : image))
  return [...loaded.filter(({ id }) => selected.has(id)), ...beyond]
}

/** With images of the loaded list. */
export const withLoaded = (selected: Selected, images: readonly ImageItem[]): Selected =>
  new Map([...selected, ...images.map(({ id }) => [id, null] as const)])

/** With images from beyond the loaded list. What has been loaded meanwhile stays what it is. */
export const withBeyond = (selected: Selected, images: readonly ImageItem[]): Selected =>
  new Map([...images.map((image) => [image.id, image] as const), ...selected])

/** Without the image if it is selected, else with it. */
export function withToggled(selected: Selected, image: ImageItem): Selected {
  const next = new Map(selected)
  return next.delete(image.id) ? next : withLoaded(selected, [image])
}
