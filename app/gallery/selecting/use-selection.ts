'use client'

import { useState } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { type ImageList, listItems } from '../list-cache.ts'
import type { ListPlace } from '../use-image-list.ts'
import { listSelected, NOTHING, type Selected, withBeyond, withLoaded, withToggled } from './selected.ts'
import { useGathering } from './use-gathering.ts'

interface Options {
  readonly place: ListPlace
  /** The loaded part of the place's list. */
  readonly list: ImageList | undefined
  readonly maySelect: (item: ImageItem) => boolean
}

/** The selected images of a place. In another place none are selected. */
export function useSelection({ place, list, maySelect }: Options) {
  const items = listItems(list)
  const of = `${place.scope} ${place.trash}`
  const none = { of, chosen: NOTHING, isBegun: false }
  const [state, setState] = useState(none)
  const [anchor, setAnchor] = useState(0)
  const { isGathering, gather, stop } = useGathering(place)
  const { chosen, isBegun } = state.of === of ? state : none
  const selected = listSelected(items, chosen)
  const choose = (change: (before: Selected) => Selected) =>
    setState((before) => (before.of === of ? { ...before, chosen: change(before.chosen) } : before))

  /** Selects or deselects an image. With `through`, selects all from the last toggled image to this one. */
  const toggle = (index: number, through = false) => {
    const item = items[index]
    if (!item || !maySelect(item)) return
    const range = between(items, anchor, index).filter(maySelect)
    choose((before) => (through ? withLoaded(before, range) : withToggled(before, item)))
    setAnchor(index)
  }
  const clear = () => {
    stop()
    setState(none)
  }
  /** Selects the loaded images at once, then the rest of the place page by page. */
  const selectAll = () => {
    choose((before) => withLoaded(before, items.filter(maySelect)))
    const cursor = list?.pages.at(-1)?.nextCursor ?? null
    if (cursor !== null) void gather(cursor, (more) => choose((before) => withBeyond(before, more.filter(maySelect))))
  }
  return {
    has: (id: string) => chosen.has(id),
    selected,
    /** True while a click on an image selects it instead of opening it. */
    isSelecting: isBegun || selected.length > 0,
    /** True while images that are not loaded are searched for. */
    isGathering,
    begin: () => setState({ ...none, isBegun: true }),
    toggle,
    clear,
    selectAll,
    stop,
  }
}

export type Selection = ReturnType<typeof useSelection>

const between = (items: readonly ImageItem[], one: number, other: number): ImageItem[] =>
  items.slice(Math.min(one, other), Math.max(one, other) + 1)
