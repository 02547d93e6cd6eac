import type { View } from '#app/gallery/timeline/use-viewport.ts'

/** What is rendered above and below the window, in screens. */
const AROUND = 0.75

interface Rows {
  readonly view: Pick<View, 'top' | 'bottom'>
  /** Of a row, in pixels. */
  readonly height: number
  readonly amount: number
  /** The row that has the focus, and keeps it wherever the list is scrolled. */
  readonly focused: number | null
}

/** Returns the rows near the window, in order. */
export function listRows({ view: { top, bottom }, height, amount, focused }: Rows): readonly number[] {
  const around = AROUND * (bottom - top)
  const first = Math.max(0, Math.floor((top - around) / height))
  const end = Math.min(amount, Math.ceil((bottom + around) / height))
  const near = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at)
  if (focused === null || focused >= amount || near.includes(focused)) return near
  return focused < first ? [focused, ...near] : [...near, focused]
}
