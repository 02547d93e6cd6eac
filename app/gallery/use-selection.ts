'use client'

import { useState } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'

/** Which of the shown images are selected. Images that are gone from the list drop out by themselves. */
export function useSelection(items: readonly ImageItem[], maySelect: (item: ImageItem) => boolean) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [anchor, setAnchor] = useState(0)
  const [isSelecting, setSelecting] = useState(false)
  const selected = items.filter(({ id }) => ids.has(id))

  /** Turns one image, or with `through` all from the last one turned to this. */
  const toggle = (index: number, through = false) => {
    const item = items[index]
    if (!item || !maySelect(item)) return
    const next = new Set(ids)
    if (through) for (const each of between(items, anchor, index).filter(maySelect)) next.add(each.id)
    else if (!next.delete(item.id)) next.add(item.id)
    setIds(next)
    setAnchor(index)
  }
  const clear = () => {
    setIds(new Set())
    setSelecting(false)
  }
  return {
    ids,
    selected,
    /** True while a click on an image selects it instead of opening it. */
    isSelecting: isSelecting || selected.length > 0,
    begin: () => setSelecting(true),
    toggle,
    clear,
    selectAll: () => setIds(new Set(items.filter(maySelect).map(({ id }) => id))),
  }
}

export type Selection = ReturnType<typeof useSelection>

const between = (items: readonly ImageItem[], one: number, other: number): ImageItem[] =>
  items.slice(Math.min(one, other), Math.max(one, other) + 1)
