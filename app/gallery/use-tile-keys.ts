'use client'

import { type KeyboardEvent, useRef, useState } from 'react'
import { type Direction, neighbour } from './neighbour.ts'

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

interface Options {
  onToggle: (index: number) => void
  onDelete: (index: number) => void
  onSelectAll: () => void
  onEscape: () => void
}

/** One tab stop for a grid of tiles, which arrow keys move. Tiles are the elements marked `data-tile`. */
export function useTileKeys({ onToggle, onDelete, onSelectAll, onEscape }: Options) {
  const grid = useRef<HTMLUListElement>(null)
  const [active, setActive] = useState(0)
  const tiles = () => [...(grid.current?.querySelectorAll<HTMLElement>('[data-tile]') ?? [])]
  const focus = (index: number) => {
    setActive(index)
    const tile = tiles()[index]
    tile?.focus({ preventScroll: true })
    tile?.scrollIntoView({ block: 'nearest' })
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
    if (key === 'Delete' || key === 'Backspace') return () => onDelete(index)
    return key === 'Escape' ? onEscape : null
  }
  return { grid, active, setActive, onKeyDown }
}
