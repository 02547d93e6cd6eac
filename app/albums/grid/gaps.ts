import { findPlace, indexAt, type Layout } from '#app/gallery/timeline/grid-layout.ts'

/** A place between two images, or before the first or after the last: the index of the image after it. */
export type Gap = number

/** Returns the gap nearest to a point of the list. */
export function gapAt(layout: Layout, left: number, top: number): Gap {
  const first = indexAt(layout, Math.max(0, top))
  const count = findPlace(layout, first)?.row.count ?? 0
  const indexes = Array.from({ length: count }, (_, at) => first + at)
  const next = indexes.find((index) => {
    const box = findPlace(layout, index)?.box
    return box !== undefined && left < box.left + box.width / 2
  })
  return next ?? first + count
}

/** Returns where a gap is marked: at the image after it, or at the end of the last one. */
export function markGap(layout: Layout, gap: Gap): { left: number; top: number; height: number } | null {
  const box = findPlace(layout, gap)?.box
  if (box) return { left: Math.max(0, box.left - layout.gap / 2), top: box.top, height: box.height }
  const last = findPlace(layout, gap - 1)?.box
  return last ? { left: last.left + last.width, top: last.top, height: last.height } : null
}

/** Returns beside which image those of `ids` come to be in a gap; null if nothing would change. */
export function findTarget<Item extends { readonly id: string }>(
  items: readonly Item[],
  ids: ReadonlySet<string>,
  gap: Gap,
): { readonly item: Item; readonly isBefore: boolean } | null {
  const at = items.flatMap(({ id }, index) => (ids.has(id) ? index : []))
  const isInOrder = at.every((index, place) => place === 0 || index === (at[place - 1] ?? 0) + 1)
  const [first = 0] = at
  if (at.length === 0 || (isInOrder && gap >= first && gap <= first + at.length)) return null
  const after = items.slice(gap).find(({ id }) => !ids.has(id))
  if (after) return { item: after, isBefore: true }
  const before = items.slice(0, gap).findLast(({ id }) => !ids.has(id))
  return before ? { item: before, isBefore: false } : null
}
