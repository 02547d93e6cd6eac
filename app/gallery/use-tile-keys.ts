'use client'

import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { browsed } from './browsed.ts'
import { type Direction, heirOf, neighbour } from './neighbour.ts'

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

interface Options {
  /** Of the images shown, in order. */
  ids: readonly string[]
  onToggle: (index: number) => void
  /** Answers the images that are about to go. */
  onDelete: (index: number) => readonly string[]
  onSelectAll: () => void
  onEscape: () => void
}

/** One tab stop for a grid of tiles, which arrow keys move. Tiles are the elements marked `data-tile`. */
export function useTileKeys({ ids, onToggle, onDelete, onSelectAll, onEscape }: Options) {
  const grid = useRef<HTMLUListElement>(null)
  const [active, setActive] = useState(0)
  const heir = useRef<string | null>(null)
  const tiles = () => [...(grid.current?.querySelectorAll<HTMLElement>('[data-tile]') ?? [])]
  const focus = (index: number) => {
    heir.current = null
    setActive(index)
    const tile = tiles()[index]
    tile?.focus({ preventScroll: true })
    tile?.scrollIntoView({ block: 'nearest' })
  }
  const focusImage = (id: string | null) => {
    const index = id === null ? -1 : ids.indexOf(id)
    if (index >= 0) focus(index)
  }
  const comeBack = useEffectEvent(() => focusImage(browsed.takeLooked()))
  useEffect(() => comeBack(), [])
  useEffect(() => {
    // Only where focus went with the tile that had it: what has taken it since keeps it.
    if (heir.current === null || document.activeElement !== document.body) return
    focusImage(heir.current)
  })
  const remove = (index: number) => {
    heir.current = heirOf(ids, index, onDelete(index))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = actionOf(event)
    if (!act) return
    event.preventDefault()
    act()
  }
  const actionOf = ({ key, ctrlKey, metaKey, target }: KeyboardEvent): (() => void) | null => {
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
    if (key === 'Delete' || key === 'Backspace') return () => remove(index)
    return key === 'Escape' ? onEscape : null
  }
  return { grid, active, setActive, onKeyDown }
}
