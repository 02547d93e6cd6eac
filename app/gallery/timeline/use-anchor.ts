'use client'

import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { browsed } from '../browsed.ts'
import { findImage, findIndex } from './find-image.ts'
import { findPlace, indexAt } from './grid-layout.ts'
import type { Loaded } from './strip.ts'
import type { Grid } from './use-grid.ts'

/** Keeps the image at the top of the window in place when the list changes. At the top of the list, what is new comes into view. */
export function useAnchor({ list, layout, parts }: Pick<Grid, 'list' | 'layout' | 'parts'>, loaded: Loaded): void {
  const last = useRef({ layout, parts, loaded })
  useLayoutEffect(() => {
    const before = last.current
    last.current = { layout, parts, loaded }
    // Measuring makes the browser lay out the page at once, so that it comes last.
    if (!layout || !before.layout || before.layout === layout) return
    const top = -(list.current?.getBoundingClientRect().top ?? 0)
    if (top <= 0) return
    const index = indexAt(before.layout, top)
    const was = findPlace(before.layout, index)
    const image = findImage(before.parts, before.loaded, index)
    const month = layout.blocks.find((block) => block.month === was?.block.month)
    const moved = image && findIndex(parts, loaded, image.id)
    const now = findPlace(layout, moved ?? (month && was ? month.first + index - was.block.first : index))
    if (was && now) window.scrollBy({ top: now.box.top - was.box.top, behavior: 'instant' })
  }, [list, layout, parts, loaded])
}

/** Focuses the image that was viewed last, on return to the list. */
export function useViewedFocus(
  { layout, parts }: Pick<Grid, 'layout' | 'parts'>,
  loaded: Loaded,
  focus: (index: number) => void,
) {
  const isDone = useRef(false)
  const focusViewed = useEffectEvent(() => {
    isDone.current = true
    const id = browsed.takeViewed()
    const index = id === null ? null : findIndex(parts, loaded, id)
    if (index !== null) focus(index)
  })
  const isReady = layout !== null && loaded.size > 0
  useEffect(() => {
    if (isReady && !isDone.current) focusViewed()
  }, [isReady])
}
