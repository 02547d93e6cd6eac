/** Moves the focus to the row before or after one in a list, if there is one. */
export function focusNeighbour(row: HTMLElement, direction: 'next' | 'previous'): void {
  const neighbour = direction === 'next' ? row.nextElementSibling : row.previousElementSibling
  if (!(neighbour instanceof HTMLElement)) return
  neighbour.focus()
  neighbour.scrollIntoView({ block: 'nearest' })
}
