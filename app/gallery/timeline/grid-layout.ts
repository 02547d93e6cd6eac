import { type Box, justify, listBoxes, type Row, type RowSize } from './justify.ts'

/** The images of a month, or all images of a list that has no months. */
export interface MonthShape {
  /** `2026-03`; null in a list without months. */
  readonly month: string | null
  /** The aspect ratio of each image, in order. */
  readonly ratios: readonly number[]
}

export interface LayoutSize extends RowSize {
  /** The height of a month's heading. */
  readonly heading: number
}

/** A month in the layout. */
export interface Block extends MonthShape {
  /** Its position among the months, and the index of its first image in the list. */
  readonly at: number
  readonly first: number
  /** From the top of the list, heading included. */
  readonly top: number
  readonly height: number
  /** The height of its heading: 0 in a list without months. */
  readonly heading: number
  readonly rows: readonly Row[]
}

export interface Layout {
  readonly blocks: readonly Block[]
  readonly height: number
  /** The number of images. */
  readonly total: number
  readonly gap: number
}

/** Lays out a whole list, whatever of it is loaded. 100,000 images take a few milliseconds. */
export function layOut(months: readonly MonthShape[], size: LayoutSize): Layout {
  const blocks: Block[] = []
  let [top, first] = [0, 0]
  for (const { month, ratios } of months) {
    const heading = month === null ? 0 : size.heading
    const { rows, height } = justify(ratios, size)
    blocks.push({ month, ratios, at: blocks.length, first, top, height: heading + height, heading, rows })
    top += heading + height
    first += ratios.length
  }
  return { blocks, height: top, total: first, gap: size.gap }
}

/** Rows of a month. */
export interface VisibleBlock {
  readonly block: Block
  readonly rows: readonly Row[]
}

/** Returns the months and rows that reach into the part of the list from `top` to `bottom`. */
export function listVisible({ blocks }: Layout, top: number, bottom: number): readonly VisibleBlock[] {
  const visible: VisibleBlock[] = []
  for (let at = findLast(blocks, top); at < blocks.length; at += 1) {
    const block = blocks[at]
    if (!block || block.top > bottom) break
    const start = block.top + block.heading
    const from = findLast(block.rows, top - start)
    const to = findLast(block.rows, bottom - start)
    visible.push({ block, rows: bottom < start ? [] : block.rows.slice(from, to + 1) })
  }
  return visible
}

const boxes = new WeakMap<Row, readonly Box[]>()

/** Returns the boxes of a row's images, from the top left of the month's images: the same objects each time. */
export function rowBoxes({ ratios }: Block, row: Row, gap: number): readonly Box[] {
  const known = boxes.get(row) ?? listBoxes(row, ratios, gap)
  boxes.set(row, known)
  return known
}

export interface ImagePlace {
  readonly block: Block
  /** The position of the row in its month. */
  readonly at: number
  readonly row: Row
  /** From the top left of the list. */
  readonly box: Box
}

/** Returns where an image is; null if there is none with this index. */
export function findPlace({ blocks, total, gap }: Layout, index: number): ImagePlace | null {
  if (index < 0 || index >= total) return null
  const block = blocks[findLastBy(blocks, index, ({ first }) => first)]
  if (!block) return null
  const at = findLastBy(block.rows, index - block.first, ({ first }) => first)
  const row = block.rows[at]
  const box = row && rowBoxes(block, row, gap)[index - block.first - row.first]
  return row && box ? { block, at, row, box: { ...box, top: box.top + block.top + block.heading } } : null
}

/** Returns the index of the first image of the row at `top`, or below it. */
export function indexAt({ blocks, total }: Layout, top: number): number {
  const block = blocks[findLast(blocks, top)]
  if (!block) return 0
  const row = block.rows[findLast(block.rows, top - block.top - block.heading)]
  return Math.min(total - 1, block.first + (row?.first ?? 0))
}

/** Returns the month at `top`; null for an empty list. */
export const blockAt = ({ blocks }: Layout, top: number): Block | null => blocks[findLast(blocks, top)] ?? null

export type Direction = 'left' | 'right' | 'up' | 'down'

/** Returns the index to move to from an image: the previous or next for left and right, the nearest in the adjacent row for up
 *  and down. */
export function neighbour(layout: Layout, index: number, direction: Direction): number {
  if (direction === 'left') return Math.max(0, index - 1)
  if (direction === 'right') return Math.min(layout.total - 1, index + 1)
  const from = findPlace(layout, index)
  if (!from) return index
  const { block, row, box } = from
  const beyond = direction === 'down' ? block.first + row.first + row.count : block.first + row.first - 1
  const next = findPlace(layout, beyond)
  if (!next) return index
  const middle = box.left + box.width / 2
  const distances = rowBoxes(next.block, next.row, layout.gap).map(({ left, width }) =>
    Math.abs(left + width / 2 - middle),
  )
  return next.block.first + next.row.first + distances.indexOf(Math.min(...distances))
}

const findLast = (sorted: readonly { readonly top: number }[], top: number) =>
  findLastBy(sorted, top, (item) => item.top)

/** Returns the position of the last item at or before `value`; 0 if there is none. */
function findLastBy<Item>(sorted: readonly Item[], value: number, by: (item: Item) => number): number {
  let [low, high] = [0, sorted.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const item = sorted[middle]
    if (item !== undefined && by(item) <= value) low = middle
    else high = middle - 1
  }
  return low
}
