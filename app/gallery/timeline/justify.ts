/** Lengths in pixels. */
export interface RowSize {
  /** The width of the list. */
  readonly width: number
  /** The least height of a full row, and the height of a last row that is not full. */
  readonly row: number
  readonly gap: number
}

export interface Row {
  /** The index of its first image. */
  readonly first: number
  readonly count: number
  /** From the top of the first row. */
  readonly top: number
  readonly height: number
}

export interface JustifiedRows {
  readonly rows: readonly Row[]
  /** Of all rows. Includes a gap after a last row that is full, as the browser's own layout does. */
  readonly height: number
}

/** What a last row must leave free, in row heights, so that it is not stretched. `justified` (tile-shape.ts) says the same to the browser. */
const SLACK = 1.4

/** Browsers measure in steps of 1/64 pixel. */
const STEP = 1 / 64

/** Lays out images by their aspect ratios exactly as a browser lays out `justified` (tile-shape.ts): what was rendered as HTML
 *  stays in place when its rows are computed. */
export function justify(ratios: readonly number[], { width, row, gap }: RowSize): JustifiedRows {
  const rows: Row[] = []
  let top = 0
  let first = 0
  let sum = 0
  const end = (next: number, isLast: boolean) => {
    const gaps = gap * (next - first - 1)
    const isOpen = isLast && row * sum + gaps + gap + SLACK * row <= width
    const height = isOpen ? row : (width - gaps) / sum
    rows.push({ first, count: next - first, top, height })
    top += height + (isOpen ? 0 : gap)
    first = next
    sum = 0
  }
  ratios.forEach((ratio, at) => {
    const fits = row * (sum + ratio) + gap * (at - first) <= width + STEP
    if (at > first && !fits) end(at, false)
    sum += ratio
  })
  if (ratios.length > 0) end(ratios.length, true)
  return { rows, height: top }
}

/** Where an image is, from the top left of the first row. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Returns the boxes of a row's images. */
export function listBoxes({ first, count, top, height }: Row, ratios: readonly number[], gap: number): readonly Box[] {
  let left = 0
  return ratios.slice(first, first + count).map((ratio) => {
    const box = { left, top, width: ratio * height, height }
    left += box.width + gap
    return box
  })
}
