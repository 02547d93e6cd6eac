'use client'

import { useCallback, useMemo, useRef, useState } from 'react'
import { findPlace, indexAt, type Layout, layOut, listVisible, type VisibleBlock } from './grid-layout.ts'
import { type Month, type PlacedPart, partsWithin, placeParts } from './strip.ts'
import { setOfList, useLayoutSize, useViewport, type View } from './use-viewport.ts'

/** What is rendered above and below the window, in screens: as much as keeps within MOST_TILES, so that the page stays small. */
const AROUND = [0.75, 0.4, 0.15]
const MOST_TILES = 140

/** What is loaded beyond the window, in screens: more in the direction of scrolling. */
const AHEAD = 2.5
const BEHIND = 0.75

/** What the window hides above and below the tiles, in pixels: the header and the list's bar; the tabs of phones. */
export const COVERED = { top: 124, bottom: 76 }

/** The layout of a list, what of it is in the window, and what should be loaded. */
export function useGrid(months: readonly Month[]) {
  const list = useRef<HTMLDivElement>(null)
  const unit = useRef<HTMLSpanElement>(null)
  // The element appears when the list is no longer empty.
  const [element, setElement] = useState<HTMLElement | null>(null)
  const attach = useCallback((now: HTMLDivElement | null) => {
    list.current = now
    setOfList(() => setElement(now))
  }, [])
  const size = useLayoutSize(element, unit)
  const view = useViewport(element)
  const layout = useMemo(() => size && layOut(months, size), [months, size])
  const parts = useMemo(() => placeParts(months), [months])
  const visible = useMemo(() => layout && listNear(layout, view), [layout, view])
  const wanted = useMemo(() => (layout && !view.isFast ? listWanted(layout, parts, view) : []), [layout, parts, view])
  /** Scrolls to a height of the list. */
  const scrollTo = (top: number) => {
    const start = list.current?.getBoundingClientRect().top ?? 0
    window.scrollTo({ top: window.scrollY + start + top, behavior: 'instant' })
  }
  /** Scrolls as little as shows an image. */
  const reveal = (index: number) => {
    const box = layout && findPlace(layout, index)?.box
    if (!box) return
    const top = -(list.current?.getBoundingClientRect().top ?? 0)
    const highest = box.top - COVERED.top
    const lowest = box.top + box.height + COVERED.bottom - window.innerHeight
    if (top > highest) scrollTo(highest)
    else if (top < lowest) scrollTo(lowest)
  }
  return { list, attach, unit, layout, parts, view, visible, wanted, scrollTo, reveal }
}

export type Grid = ReturnType<typeof useGrid>

function listNear(layout: Layout, { top, bottom, isFast }: View): readonly VisibleBlock[] {
  const near = (screens: number) => {
    const around = screens * (bottom - top)
    return listVisible(layout, top - around, bottom + around)
  }
  const fitting = isFast ? undefined : AROUND.find((screens) => countTiles(near(screens)) <= MOST_TILES)
  return near(fitting ?? 0)
}

const countTiles = (visible: readonly VisibleBlock[]) =>
  visible.flatMap(({ rows }) => rows).reduce((sum, { count }) => sum + count, 0)

function listWanted(
  layout: Layout,
  parts: readonly PlacedPart[],
  { top, bottom, isBackwards }: View,
): readonly PlacedPart[] {
  const screen = bottom - top
  const above = top - screen * (isBackwards ? AHEAD : BEHIND)
  const below = bottom + screen * (isBackwards ? BEHIND : AHEAD)
  return partsWithin(parts, indexAt(layout, above), lastIndexAt(layout, below))
}

function lastIndexAt(layout: Layout, bottom: number): number {
  const last = listVisible(layout, bottom, bottom).at(-1)
  const row = last?.rows.at(-1)
  return last && row ? last.block.first + row.first + row.count - 1 : indexAt(layout, bottom)
}
