import type { ImageItem } from '#app/connection/trpc.ts'

/** Tags per call; the server's maximum. */
export const TAGS_AT_ONCE = 20

/** Tags to give to images, and tags to take from them. */
export interface TagChange {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/** Images for which one change is to be made. */
export interface TagChangeOf extends TagChange {
  readonly ids: readonly string[]
}

/** Returns the changes that give images of `after` the tags that they had in `before`, those with the same change together. */
export function changesBack(before: readonly ImageItem[], after: readonly ImageItem[]): readonly TagChangeOf[] {
  // An image that has been changed twice is in both lists twice: it gets back its first tags.
  const earlier = new Map(before.toReversed().map((image) => [image.id, image.tags ?? []]))
  const later = new Map(after.map((image) => [image.id, image.tags ?? []]))
  const changes = [...later].map(([id, tags]) => {
    const had = earlier.get(id) ?? tags
    return { id, add: had.filter((tag) => !tags.includes(tag)), remove: tags.filter((tag) => !had.includes(tag)) }
  })
  const needed = changes.filter(({ add, remove }) => add.length + remove.length > 0)
  return [...Map.groupBy(needed, ({ add, remove }) => JSON.stringify([add, remove])).values()].flatMap((same) => {
    const [first] = same
    return first ? { ids: same.map(({ id }) => id), add: first.add, remove: first.remove } : []
  })
}

/** Returns the tags of several images, with how many of them have each: the most frequent first. */
export function countTags(images: readonly ImageItem[]): readonly { readonly tag: string; readonly count: number }[] {
  const counts = new Map<string, number>()
  for (const tag of images.flatMap(({ tags }) => tags ?? [])) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1))
}
