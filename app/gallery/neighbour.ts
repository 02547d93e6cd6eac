export type Direction = 'left' | 'right' | 'up' | 'down'

export interface TileBox {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Returns the index to move to from `boxes[index]`: the previous or next in order for left and right, the nearest in the adjacent row for up and down. */
export function neighbour(boxes: readonly TileBox[], index: number, direction: Direction): number {
  if (direction === 'left') return Math.max(0, index - 1)
  if (direction === 'right') return Math.min(boxes.length - 1, index + 1)
  const from = boxes[index]
  if (!from) return index
  const beyond = boxes.map((box, at) => ({ box, at })).filter(({ box }) => isBeyond(from, box, direction))
  const tops = beyond.map(({ box }) => box.top)
  const row = direction === 'down' ? Math.min(...tops) : Math.max(...tops)
  const nearest = beyond
    .filter(({ box }) => Math.abs(box.top - row) < 2)
    .sort((one, other) => distance(from, one.box) - distance(from, other.box))[0]
  return nearest?.at ?? index
}

/** Returns the id to focus when `removed` are removed and `ids[index]` is one of them: the next that remains, or else the previous. */
export function nextFocus(ids: readonly string[], index: number, removed: readonly string[]): string | null {
  const current = ids[index]
  if (current === undefined || !removed.includes(current)) return null
  const remains = (id: string) => !removed.includes(id)
  return ids.slice(index).find(remains) ?? ids.slice(0, index).findLast(remains) ?? null
}

function isBeyond(from: TileBox, box: TileBox, direction: 'up' | 'down'): boolean {
  return direction === 'down' ? box.top >= from.top + from.height - 1 : box.top + box.height <= from.top + 1
}

const distance = (from: TileBox, to: TileBox): number => Math.abs(from.left + from.width / 2 - (to.left + to.width / 2))
