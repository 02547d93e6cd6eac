import { type Block, findPlace, type Layout, rowBoxes, type VisibleBlock } from './grid-layout.ts'
import type { Box } from './justify.ts'
import type { Loaded, Month } from './strip.ts'

/** A month as it is rendered: the tiles of it that are near the window. */
export interface ShownMonth {
  readonly month: string | null
  /** The index of its first image in the list, and how many it has. */
  readonly first: number
  readonly amount: number
  /** Where it is in the list; null while the browser lays it out. */
  readonly place: { readonly top: number; readonly height: number; readonly heading: number } | null
  readonly tiles: readonly { readonly index: number; readonly box: Box | null }[]
}

/** Returns the months near the window. The tile at `focused` is always among them, so that it keeps the focus. */
export function listMonths(layout: Layout, visible: readonly VisibleBlock[], focused: number | null): ShownMonth[] {
  const shown = visible.map(({ block, rows }) => ({ block, rows: [...rows] }))
  const place = focused === null ? null : findPlace(layout, focused)
  if (place) {
    const { block, row } = place
    const known = shown.find((each) => each.block === block)
    if (!known) shown.push({ block, rows: [row] })
    else if (!known.rows.includes(row)) known.rows.push(row)
  }
  return shown
    .sort((one, other) => one.block.at - other.block.at)
    .map(({ block, rows }) => ({
      ...{ month: block.month, first: block.first, amount: block.ratios.length, place: block },
      tiles: rows.sort((one, other) => one.first - other.first).flatMap((row) => rowTiles(layout, block, row)),
    }))
}

const rowTiles = ({ gap }: Layout, block: Block, row: Block['rows'][number]) =>
  rowBoxes(block, row, gap).map((box, at) => ({ index: block.first + row.first + at, box }))

/** Returns the loaded images at the beginning of a list, for the browser to lay out: the server does not know how wide the window is. */
export function listFirst(months: readonly Month[], loaded: Loaded): ShownMonth[] {
  const shown: ShownMonth[] = []
  let first = 0
  for (const { month, parts, ratios } of months) {
    const amount = parts.findIndex(({ cursor }) => !loaded.has(cursor)) < 0 ? ratios.length : 0
    if (amount === 0) break
    const start = first
    const tiles = ratios.map((_, at) => ({ index: start + at, box: null }))
    shown.push({ month, first, amount, place: null, tiles })
    first += amount
  }
  return shown
}
