'use client'

import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { type Block, blockAt } from './grid-layout.ts'
import { COVERED, type Grid } from './use-grid.ts'

/** How long a scrubber stays in view on a touch screen after the list has moved. */
const SHOWN_MS = 1500

/** Moves what is as high as the track down to a place on it, from 0 to 1. */
export const toShift = (at: number): string => `translateY(${100 * at}%)`

/** The place of a list on a track, and what moves it there: the pointer at any speed, and keys by a month or a year. */
export function useScrub({ list, layout, scrollTo }: Pick<Grid, 'list' | 'layout' | 'scrollTo'>) {
  const track = useRef<HTMLDivElement>(null)
  const thumb = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<Block | null>(null)
  const [pointed, setPointed] = useState<{ readonly at: number; readonly block: Block } | null>(null)
  const [isDragged, setDragged] = useState(false)
  const [isMoving, setMoving] = useState(false)
  const [size, setSize] = useState({ length: 0, screen: 0 })
  const height = Math.max(1, (layout?.height ?? 0) + COVERED.top - size.screen)

  useEffect(() => {
    let frame = 0
    let rest: ReturnType<typeof setTimeout> | undefined
    const follow = () => {
      if (!layout || !list.current || !track.current) return
      const length = track.current.clientHeight
      setSize((before) =>
        before.length === length && before.screen === window.innerHeight
          ? before
          : { length, screen: window.innerHeight },
      )
      const top = -list.current.getBoundingClientRect().top + COVERED.top
      const at = top / Math.max(1, layout.height + COVERED.top - window.innerHeight)
      if (thumb.current) thumb.current.style.transform = toShift(Math.min(1, Math.max(0, at)))
      setCurrent(blockAt(layout, top + 1))
    }
    const onScroll = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(follow)
      setMoving(true)
      clearTimeout(rest)
      rest = setTimeout(() => setMoving(false), SHOWN_MS)
    }
    follow()
    window.addEventListener('scroll', onScroll, { passive: true })
    window.addEventListener('resize', follow)
    return () => {
      window.removeEventListener('scroll', onScroll)
      window.removeEventListener('resize', follow)
      cancelAnimationFrame(frame)
      clearTimeout(rest)
    }
  }, [layout, list])

  const fractionAt = (y: number) => {
    const box = track.current?.getBoundingClientRect()
    return box ? Math.min(1, Math.max(0, (y - box.top) / box.height)) : 0
  }
  const point = (y: number) => {
    const at = fractionAt(y)
    const block = layout && blockAt(layout, at * height + 1)
    if (block) setPointed({ at, block })
    return at
  }
  const moveTo = (y: number) => scrollTo(point(y) * height - COVERED.top)
  const showMonth = (at: number) => {
    const block = layout?.blocks[Math.max(0, Math.min(at, layout.blocks.length - 1))]
    if (block) scrollTo(block.top - COVERED.top)
  }
  /** Returns the position of the first month of the next year, or of the year before. */
  const yearFrom = (at: number, step: 1 | -1) => {
    const blocks = layout?.blocks ?? []
    const own = blocks[at]?.month?.slice(0, 4)
    for (let next = at; blocks[next]; next += step) if (blocks[next]?.month?.slice(0, 4) !== own) return next
    return step > 0 ? blocks.length - 1 : 0
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = current?.at ?? 0
    const target = {
      ...{ ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1 },
      ...{ PageDown: yearFrom(at, 1), PageUp: yearFrom(at, -1), Home: 0, End: Number.POSITIVE_INFINITY },
    }[event.key]
    if (target === undefined) return
    event.preventDefault()
    event.stopPropagation()
    showMonth(target)
  }
  return {
    ...{ track, thumb, current, pointed, isDragged, isMoving, height, length: size.length },
    slider: {
      onKeyDown,
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return
        event.preventDefault()
        event.currentTarget.focus({ preventScroll: true })
        event.currentTarget.setPointerCapture(event.pointerId)
        setDragged(true)
        moveTo(event.clientY)
      },
      onPointerMove({ clientY, pointerType }: PointerEvent) {
        if (isDragged) moveTo(clientY)
        else if (pointerType === 'mouse') point(clientY)
      },
      onLostPointerCapture() {
        setDragged(false)
        setPointed(null)
      },
      onPointerLeave: () => setPointed(null),
    },
  }
}
