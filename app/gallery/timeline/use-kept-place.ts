'use client'

import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { findPlace, indexAt } from './grid-layout.ts'
import { monthInAddress, readPlace, writePlace } from './kept-place.ts'
import { COVERED, type Grid } from './use-grid.ts'

/** Browsers scroll by whole pixels. */
const ROUNDING = 2

/** Returns to where the list was left, or to the month in the address, once its months are known; keeps where it is from then on. Returns
 *  what keeps it at once. A list that the address has left keeps nothing. */
export function useKeptPlace(
  { list, layout, view, scrollTo }: Grid,
  name: string,
  isComplete: boolean,
  isLeft: boolean,
): () => void {
  const isReady = useRef(false)
  const restore = useEffectEvent(() => {
    if (!layout) return
    isReady.current = true
    const kept = readPlace(name)
    const month = kept ? kept.month : monthInAddress()
    if (!kept && month === null) return
    const block = layout.blocks.find((each) => each.month === month) ?? null
    if (!block) return
    if (!kept) return scrollTo(block.top - COVERED.top)
    const place = findPlace(layout, block.first + Math.min(kept.index, block.ratios.length - 1))
    if (place) scrollTo(place.box.top - kept.offset)
  })
  const hasLayout = layout !== null
  useLayoutEffect(() => {
    if (isComplete && hasLayout && !isReady.current) restore()
  }, [isComplete, hasLayout])

  const keep = () => {
    if (!layout || !isReady.current || isLeft) return
    const top = -(list.current?.getBoundingClientRect().top ?? 0)
    const place = top <= 0 ? null : findPlace(layout, indexAt(layout, top + COVERED.top + ROUNDING))
    if (!place) return writePlace(null)
    const { block, row, box } = place
    writePlace({ list: name, month: block.month, index: row.first, offset: box.top - top })
  }
  const keepAtRest = useEffectEvent(keep)
  useEffect(() => {
    if (!view.isFast) keepAtRest()
  }, [view])
  return keep
}
