'use client'

import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { type ListChange, listChanges } from '../list-changes.ts'
import type { Source } from './list-source.ts'
import { NOTHING, type Selected, withChanged, withImages, withoutImages, withToggled } from './selected.ts'
import { useGathering } from './use-gathering.ts'

interface Options {
  readonly source: Source
  readonly maySelect: (item: ImageItem) => boolean
  /** Where the selection is kept while the list is not shown. */
  readonly kept?: { readonly read: () => Selected; readonly write: (selected: Selected) => void }
}

/** The selected images of a list. In another list none are selected. */
export function useSelection({ source, maySelect, kept }: Options) {
  const none = { of: source.key, chosen: NOTHING, isBegun: false }
  const [state, setState] = useState(none)
  const [anchor, setAnchor] = useState(0)
  const { isGathering, gather, stop } = useGathering()
  const { chosen, isBegun } = state.of === source.key ? state : none
  const selected = useMemo((): readonly ImageItem[] => [...chosen.values()], [chosen])
  const choose = (change: (before: Selected) => Selected) =>
    setState((before) => {
      const own = before.of === none.of ? before : none
      return { ...own, chosen: change(own.chosen) }
    })
  const add = (images: readonly ImageItem[]) => choose((before) => withImages(before, images.filter(maySelect)))

  const restore = useEffectEvent(() => {
    const before = kept?.read()
    if (before && before.size > 0) choose(() => before)
  })
  useLayoutEffect(() => restore(), [])
  const keep = useEffectEvent((selected: Selected) => kept?.write(selected))
  useEffect(() => keep(chosen), [chosen])

  const hear = useEffectEvent((change: ListChange) =>
    choose((before) =>
      'removed' in change ? withoutImages(before, change.removed) : change.changed.reduce(withChanged, before),
    ),
  )
  useEffect(() => listChanges.subscribe((change) => hear(change)), [])

  /** Selects the images from one index to another: those that are loaded at once, the others as they are found. */
  const addRange = (from: number, to: number) => {
    add(source.between(from, to))
    const find = source.findMissing(from, to)
    if (find) void gather(find, add)
  }
  /** Selects or deselects an image. With `through`, selects all from the last toggled image to this one. */
  const toggle = (index: number, through = false) => {
    const [item] = source.between(index, index)
    if (!item || !maySelect(item)) return
    if (through) addRange(Math.min(anchor, index), Math.max(anchor, index))
    else choose((before) => withToggled(before, item))
    setAnchor(index)
  }
  return {
    has: (id: string) => chosen.has(id),
    selected,
    /** True while a click on an image selects it instead of opening it. */
    isSelecting: isBegun || chosen.size > 0,
    /** True while images that are not loaded are searched for. */
    isGathering,
    begin: () => setState({ ...none, isBegun: true }),
    toggle,
    addRange,
    remove: (ids: readonly string[]) => choose((before) => withoutImages(before, ids)),
    clear() {
      stop()
      setState(none)
    },
    /** Selects the loaded images at once, then the rest part by part. */
    selectAll: () => addRange(0, Number.POSITIVE_INFINITY),
    stop,
  }
}

export type Selection = ReturnType<typeof useSelection>
