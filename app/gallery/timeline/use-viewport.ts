'use client'

import { type RefObject, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { LayoutSize } from './grid-layout.ts'

/** The part of a list in the window, in pixels from the top of the list. */
export interface View {
  readonly top: number
  readonly bottom: number
  /** True while the list moves by whole screens, as when a scrollbar is dragged: nothing is loaded then. */
  readonly isFast: boolean
  /** Whether the list was last scrolled towards its beginning. */
  readonly isBackwards: boolean
}

/** A list has come to rest when it has not moved for this long. */
const REST_MS = 140

/** How far the list moves, in screens, before what is rendered changes. */
const STEP = 0.2

/** Whether this page's first list has been placed. Its tiles came as HTML, so that placing them may wait for input and frames, and
 *  they are measured only where the browser has laid them out by itself; a list that is opened later would be seen at its
 *  beginning before it is where it was left. */
let isPlaced = false

/** Sets the state of a list: of the page's first one without holding up input and frames. */
export function setOfList(set: () => void): void {
  if (isPlaced) set()
  else startTransition(set)
}

/** Follows which part of a list is in the window. */
export function useViewport(list: HTMLElement | null): View {
  const [view, setView] = useState<View>({ top: 0, bottom: 0, isFast: false, isBackwards: false })
  const last = useRef({ top: 0, at: 0, jumps: 0 })
  useLayoutEffect(() => {
    let frame = 0
    let rest: ReturnType<typeof setTimeout> | undefined
    const read = (isResting: boolean) => {
      if (!list) return
      const top = -list.getBoundingClientRect().top
      const height = window.innerHeight
      const { top: before, at, jumps } = last.current
      const isJump = Math.abs(top - before) > height
      // A single jump, for example by the End key, loads at once.
      const now = performance.now()
      last.current = { top, at: now, jumps: isJump ? (now - at < REST_MS ? jumps + 1 : 1) : isResting ? 0 : jumps }
      const isFast = !isResting && last.current.jumps > 1
      setView((view) => {
        const isNear = Math.abs(view.top - top) < height * STEP && view.bottom - view.top === height
        if (isNear && view.isFast === isFast && !isResting) return view
        const isBackwards = top === before ? view.isBackwards : top < before
        return isNear && view.top === top && view.isFast === isFast
          ? view
          : { top, bottom: top + height, isFast, isBackwards }
      })
    }
    const onScroll = () => {
      clearTimeout(rest)
      rest = setTimeout(() => read(true), REST_MS)
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => read(false))
    }
    const observer = new ResizeObserver(() => {
      observer.disconnect()
      read(true)
    })
    if (list && !isPlaced) observer.observe(list)
    else read(true)
    window.addEventListener('scroll', onScroll, { passive: true })
    window.addEventListener('resize', onScroll)
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', onScroll)
      window.removeEventListener('resize', onScroll)
      cancelAnimationFrame(frame)
      clearTimeout(rest)
    }
  }, [list])
  return view
}

/** What a rem is to the gap between tiles, and to a month's heading. */
const HEADING_IN_GAPS = 8

/** Measures a list's width and, by an element as high as a row and as wide as a gap, what its rows are made of. Null until then. */
export function useLayoutSize(list: HTMLElement | null, unit: RefObject<HTMLElement | null>) {
  const [size, setSize] = useState<LayoutSize | null>(null)
  useEffect(() => {
    if (size !== null) isPlaced = true
  }, [size])
  useLayoutEffect(() => {
    const measure = () => {
      if (!list || !unit.current) return
      const { width } = list.getBoundingClientRect()
      const { width: gap, height: row } = unit.current.getBoundingClientRect()
      setOfList(() =>
        setSize((size) =>
          size?.width === width && size.row === row && size.gap === gap
            ? size
            : { width, row, gap, heading: gap * HEADING_IN_GAPS },
        ),
      )
    }
    if (isPlaced) measure()
    const observer = new ResizeObserver(measure)
    for (const element of [list, unit.current]) if (element) observer.observe(element)
    return () => observer.disconnect()
  }, [list, unit])
  return size
}
