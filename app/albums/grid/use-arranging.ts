'use client'

import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { neighbour } from '#app/gallery/timeline/grid-layout.ts'
import type { Grid } from '#app/gallery/timeline/use-grid.ts'
import { useLatest } from '#app/gallery/use-latest.ts'
import { followPointer } from './follow-pointer.ts'
import { findTarget, type Gap, gapAt } from './gaps.ts'

interface Options {
  readonly grid: Grid
  readonly items: readonly ImageItem[]
  /** The ids of the selected images, which move with each other. */
  readonly chosen: ReadonlySet<string>
  readonly onMove: (ids: readonly string[], target: string, isBefore: boolean) => void
}

export interface Moving {
  /** In the order of the list. */
  readonly ids: ReadonlySet<string>
  readonly gap: Gap
  readonly by: 'pointer' | 'keys'
}

/** Moves images of an album to another place, by dragging them or by the keyboard: Enter on a handle, arrow keys, Enter. */
export function useArranging({ grid, items, chosen, onMove }: Options) {
  const [moving, setMoving] = useState<Moving | null>(null)
  /** The element that follows the pointer. */
  const ghost = useRef<HTMLSpanElement>(null)
  const stop = useRef<() => void>(undefined)
  const current = useLatest({ grid, items, chosen, moving })
  /** The first of the images that were moved by the keyboard. Moving its element takes the focus from it. */
  const dropped = useRef<string>(undefined)
  useEffect(() => {
    const index = items.findIndex(({ id }) => id === dropped.current)
    dropped.current = undefined
    if (index >= 0) grid.list.current?.querySelector<HTMLElement>(`[data-tile="${index}"]`)?.focus()
  }, [items, grid.list])
  useEffect(() => () => stop.current?.(), [])

  const begin = (index: number, gap: Gap, by: Moving['by']) => {
    const id = items[index]?.id
    if (id === undefined) return
    const ids = chosen.has(id) ? items.flatMap((item) => (chosen.has(item.id) ? item.id : [])) : [id]
    setMoving({ ids: new Set(ids), gap, by })
  }
  const moveTo = (gap: Gap) => setMoving((before) => before && { ...before, gap })
  const drop = (): void => {
    const { items, moving } = current.current
    setMoving(null)
    if (!moving) return
    const target = findTarget(items, moving.ids, moving.gap)
    if (!target) return
    onMove([...moving.ids], target.item.id, target.isBefore)
    if (moving.by === 'keys') [dropped.current] = moving.ids
  }

  const press = (event: PointerEvent<HTMLElement>) => {
    const index = findDragged(event)
    if (index === null) return
    stop.current = followPointer(event.nativeEvent, {
      ghost,
      onBegin: () => begin(index, index, 'pointer'),
      onMove({ clientX, clientY }) {
        const { list, layout } = current.current.grid
        const box = list.current?.getBoundingClientRect()
        if (box && layout) moveTo(gapAt(layout, clientX - box.left, clientY - box.top))
      },
      onDrop: drop,
      onCancel: () => setMoving(null),
    })
  }

  const pressKey = (event: KeyboardEvent, index: number) => {
    const { layout, reveal } = grid
    const { key } = event
    if (key === 'Tab' || !layout) return setMoving(null)
    const isPressed = key === 'Enter' || key === ' '
    if (!moving && !isPressed) return
    event.preventDefault()
    event.stopPropagation()
    if (!moving) return begin(index, index, 'keys')
    if (isPressed) return drop()
    if (key === 'Escape') return setMoving(null)
    const { gap } = moving
    const steps: Readonly<Record<string, Gap>> = {
      ArrowLeft: gap - 1,
      ArrowRight: gap + 1,
      ArrowUp: neighbour(layout, Math.min(gap, items.length - 1), 'up'),
      ArrowDown: neighbour(layout, Math.min(gap, items.length - 1), 'down'),
      Home: 0,
      End: items.length,
    }
    const next = Math.max(0, Math.min(items.length, steps[key] ?? gap))
    moveTo(next)
    reveal(Math.min(next, items.length - 1))
  }
  return { moving, ghost, press, pressKey, cancelKeys: () => moving?.by === 'keys' && setMoving(null) }
}

/** Returns the index of the image that a press may drag: by its handle, or with a mouse by its picture too. */
function findDragged({ target, button, isPrimary, pointerType }: PointerEvent): number | null {
  if (button !== 0 || !isPrimary || !(target instanceof Element)) return null
  const isHandle = target.closest('[data-handle]') !== null
  if (!isHandle && (pointerType === 'touch' || target.closest('button, label'))) return null
  const index = target.closest('li')?.querySelector<HTMLElement>('[data-tile]')?.dataset.tile
  return index === undefined ? null : Number(index)
}
