'use client'

import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { type Direction, type Layout, neighbour } from './timeline/grid-layout.ts'

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

interface Options {
  readonly list: RefObject<HTMLElement | null>
  readonly layout: Layout | null
  /** Scrolls a tile into view. */
  readonly reveal: (index: number) => void
  readonly onToggle: (index: number) => void
  readonly onCopy: (index: number) => void
  readonly onFavourite: (index: number) => void
  /** Returns how many of the images before this one are being removed, and whether this one is. */
  readonly onDelete: (index: number) => { readonly before: number; readonly isGone: boolean }
  readonly onSelectAll: () => void
  readonly onEscape: () => void
}

/** Keyboard control of a grid of tiles, the elements with their index as `data-tile`: one tab stop, moved by arrow keys. The tile at
 *  `active` must be rendered, wherever the list is scrolled. */
export function useTileKeys({ list, layout, reveal, ...on }: Options) {
  const { onToggle, onCopy, onFavourite, onDelete, onSelectAll, onEscape } = on
  const [active, setActive] = useState(0)
  const [isInside, setInside] = useState(false)
  const isWanted = useRef(false)
  /** The tile of an image that is being removed. */
  const leaving = useRef<Element | null>(null)
  const most = (layout?.total ?? 0) - 1
  const focus = (index: number) => {
    setActive(index)
    reveal(index)
    isWanted.current = true
    leaving.current = null
  }
  useEffect(() => {
    if (!isWanted.current) return
    const tile = list.current?.querySelector<HTMLElement>(`[data-tile="${active}"]`)
    if (!tile || tile === leaving.current) return
    leaving.current = null
    // A tile that is not loaded is replaced by one that is, which then takes the focus.
    isWanted.current = tile.dataset.loading !== undefined
    tile.focus({ preventScroll: true })
  })
  const remove = (index: number) => {
    const { before, isGone } = onDelete(index)
    setActive(index - before)
    isWanted.current = isGone
    leaving.current = isGone ? document.activeElement : null
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = findAction(event)
    if (!act) return
    event.preventDefault()
    act()
  }
  const findAction = ({ key, ctrlKey, metaKey, target }: KeyboardEvent): (() => void) | null => {
    const tile = target instanceof HTMLElement ? target.dataset.tile : undefined
    const isTile = tile !== undefined
    // The images before it may have changed since it took the focus.
    const index = Math.min(isTile ? Number(tile) : active, most)
    const direction = directions[key]
    if ((ctrlKey || metaKey) && key === 'a') return onSelectAll
    if (ctrlKey || metaKey) return null
    if (direction) return layout && (() => focus(neighbour(layout, index, direction)))
    if (key === 'Home') return () => focus(0)
    if (key === 'End') return () => focus(most)
    if (key === ' ' && isTile) return () => onToggle(index)
    if (key === 'c') return () => onCopy(index)
    if (key === 'f') return () => onFavourite(index)
    if (key === 'Delete' || key === 'Backspace') return () => remove(index)
    return key === 'Escape' ? onEscape : null
  }
  return {
    active: Math.max(0, Math.min(active, most)),
    /** True while the focus is among the tiles. */
    isInside,
    focus,
    setActive,
    grid: {
      onKeyDown,
      onFocus({ target }: FocusEvent) {
        setInside(true)
        if (target instanceof HTMLElement && target.dataset.loading !== undefined) isWanted.current = true
      },
      onBlur({ relatedTarget, currentTarget }: FocusEvent) {
        if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return
        setInside(false)
        isWanted.current = false
      },
    },
  }
}
