/** Returns the items with those of `ids`, in their order, right before or after `target`, which is none of them. */
export function reordered<Item extends { readonly id: string }>(
  items: readonly Item[],
  ids: ReadonlySet<string>,
  target: string,
  isBefore: boolean,
): readonly Item[] {
  const moved = items.filter(({ id }) => ids.has(id))
  const others = items.filter(({ id }) => !ids.has(id))
  const at = others.findIndex(({ id }) => id === target)
  if (at === -1) return items
  return others.toSpliced(isBefore ? at : at + 1, 0, ...moved)
}
