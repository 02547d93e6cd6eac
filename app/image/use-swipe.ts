'use client'

import { type TouchEvent, useRef } from 'react'
import { readSwipe } from './swipe.ts'

/** Swiping with one finger shows the previous or next image. Two fingers zoom the picture, and a zoomed page keeps its gestures. */
export function useSwipe(go: {
  readonly previous?: (() => void) | undefined
  readonly next?: (() => void) | undefined
}) {
  const from = useRef<{ readonly x: number; readonly y: number } | null>(null)
  return {
    onTouchStart({ touches }: TouchEvent) {
      const isZoomed = (window.visualViewport?.scale ?? 1) > 1
      const touch = touches.length === 1 && !isZoomed ? touches[0] : undefined
      from.current = touch ? { x: touch.clientX, y: touch.clientY } : null
    },
    onTouchCancel() {
      from.current = null
    },
    onTouchEnd({ changedTouches }: TouchEvent) {
      const [start, to] = [from.current, changedTouches[0]]
      from.current = null
      if (!start || !to) return
      const direction = readSwipe(start, { x: to.clientX, y: to.clientY })
      if (direction) go[direction]?.()
    },
  }
}
