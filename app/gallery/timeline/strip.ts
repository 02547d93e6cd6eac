import type { ImageItem } from '#app/connection/trpc.ts'
import { clampRatio } from '../tile-shape.ts'
import type { MonthShape } from './grid-layout.ts'

/** Up to a hundred images of a month, which are loaded together. */
export interface Part {
  /** What image.list takes to find exactly these images; null for the first of the list. Unique in the list. */
  readonly cursor: string | null
  /** The aspect ratio of each, known before the images are. */
  readonly ratios: readonly number[]
}

export interface Month extends MonthShape {
  readonly parts: readonly Part[]
}

/** The loaded images, by the cursors of their parts. */
export type Loaded = ReadonlyMap<string | null, readonly ImageItem[]>

export const toMonth = (month: string | null, parts: readonly Part[]): Month => ({
  ...{ month, parts },
  ratios: parts.flatMap(({ ratios }) => ratios),
})

/** Where a part is in the list. */
export interface PlacedPart {
  readonly cursor: string | null
  readonly first: number
  readonly count: number
  readonly ratios: readonly number[]
}

export function placeParts(months: readonly Month[]): readonly PlacedPart[] {
  let first = 0
  return months.flatMap(({ parts }) =>
    parts.map(({ cursor, ratios }) => {
      const placed = { cursor, first, count: ratios.length, ratios }
      first += ratios.length
      return placed
    }),
  )
}

/** Returns the parts with images from one index to another. */
export const partsWithin = (parts: readonly PlacedPart[], from: number, to: number): readonly PlacedPart[] =>
  parts.filter(({ first, count }) => first <= to && first + count > from)

/** A list that is loaded as a whole, without months. */
export function plainStrip(items: readonly ImageItem[]): { months: readonly Month[]; loaded: Loaded } {
  return {
    months: items.length === 0 ? [] : [toMonth(null, [{ cursor: null, ratios: items.map(clampRatio) }])],
    loaded: new Map([[null, items]]),
  }
}
