'use client'

import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { browsed } from './browsed.ts'
import { type Direction, neighbour, nextFocus } from './neighbour.ts'

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

interface Options {
  /** The ids of the images shown, in order. */
  ids: readonly string[]
  onToggle: (index: number) => void
  onCopy: (index: number) => void
  /** Returns the ids of the images that are being removed. */
  onDelete: (index: number) => readonly string[]
  onSelectAll: () => void
  onEscape: () => void
}

/** Keyboard control of a grid of tiles, the elements with `data-tile`: one tab stop, moved by arrow keys. */
export function useTileKeys({ ids, onToggle, onCopy, onDelete, onSelectAll, onEscape }: Options) {
  const grid = useRef<HTMLUListElement>(null)
  const [active, setActive] = useState(0)
  const focusNext = useRef<string | null>(null)
  const tiles = () => [...(grid.current?.querySelectorAll<HTMLElement>('[data-tile]') ?? [])]
  const focus = (index: number) => {
    focusNext.current = null
    setActive(index)
    const tile = tiles()[index]
    tile?.focus({ preventScroll: true })
    tile?.scrollIntoView({ block: 'nearest' })
  }
  const focusImage = (id: string | null) => {
    const index = id === null ? -1 : ids.indexOf(id)
    if (index >= 0) focus(index)
  }
  const focusViewed = useEffectEvent(() => focusImage(browsed.takeViewed()))
  useEffect(() => focusViewed(), [])
  useEffect(() => {
    // Only if the removed tile had the focus and nothing else has taken it since.
    if (focusNext.current === null || document.activeElement !== document.body) return
    focusImage(focusNext.current)
  })
  const remove = (index: number) => {
    focusNext.current = nextFocus(ids, index, onDelete(index))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = findAction(event)
    if (!act) return
    event.preventDefault()
    act()
  }
  const findAction = ({ key, ctrlKey, metaKey, target }: KeyboardEvent): (() => void) | null => {
    const isTile = target instanceof HTMLElement && target.dataset.tile !== undefined
    const index = Math.min(active, tiles().length - 1)
    const direction = directions[key]
    if ((ctrlKey || metaKey) && key === 'a') return onSelectAll
    if (ctrlKey || metaKey) return null
    if (direction)
      return () =>
        focus(
          neighbour(
            tiles().map((tile) => tile.getBoundingClientRect()),
            index,
            direction,
          ),
        )
    if (key === 'Home') return () => focus(0)
    if (key === 'End') return () => focus(tiles().length - 1)
    if (key === ' ' && isTile) return () => onToggle(index)
    if (key === 'c') return () => onCopy(index)
    if (key === 'Delete' || key === 'Backspace') return () => remove(index)
    return key === 'Escape' ? onEscape : null
  }
  return { grid, active, setActive, onKeyDown }
}
