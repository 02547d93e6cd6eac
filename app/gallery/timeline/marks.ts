import type { Block } from './grid-layout.ts'

/** A month on the scrubber. */
export interface Mark {
  readonly month: string
  /** Its height on the track, from 0 to 1. */
  readonly at: number
  /** The year, where it begins and there is room to write it; otherwise the mark is a dot. */
  readonly year: string | null
}

/** The least distances on the track, in pixels. */
const YEAR_PX = 26
const DOT_PX = 7

/** Returns the marks of a track that is `length` pixels long, as many as have room. `height` is how far the list can be scrolled. */
export function listMarks(blocks: readonly Block[], height: number, length: number): readonly Mark[] {
  const marks: Mark[] = []
  let [lastYear, yearAt, dotAt] = ['', Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { month, top } of blocks) {
    if (month === null) continue
    const at = Math.min(1, top / Math.max(1, height))
    const year = month.slice(0, 4)
    const y = at * length
    if (year !== lastYear && y - yearAt >= YEAR_PX) {
      marks.push({ month, at, year })
      yearAt = y
      dotAt = y + YEAR_PX / 2
      lastYear = year
    } else if (y - dotAt >= DOT_PX) {
      marks.push({ month, at, year: null })
      dotAt = y
    }
  }
  return marks
}
