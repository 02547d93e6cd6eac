'use client'

import type { ComponentType, ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { useFormat } from '#app/ui/use-format.ts'
import type { ListScope } from '../list-place.ts'
import type { Selection } from '../selecting/use-selection.ts'
import { Tile } from '../tile.tsx'
import type { TileActions, TileExtraProps } from '../tile-props.ts'
import { FIRST, justified, rowHeights } from '../tile-shape.ts'
import { TilesEnd } from '../tiles-end.tsx'
import { useLatest } from '../use-latest.ts'
import { useMarking } from '../use-marking.ts'
import { useTileKeys } from '../use-tile-keys.ts'
import { findImage } from './find-image.ts'
import { listFirst, listMonths, type ShownMonth } from './list-months.ts'
import { LoadingTile } from './loading-tile.tsx'
import type { Loaded, Month } from './strip.ts'
import { useAnchor, useViewedFocus } from './use-anchor.ts'
import type { Grid } from './use-grid.ts'

export interface TileGridProps {
  label: string
  selection: Selection
  maySelect: (item: ImageItem) => boolean
  scope: ListScope
  getHref: (item: ImageItem) => string | null
  /** Called with the images around the one that is opened, as far as they are loaded and may be opened. */
  onOpen: (around: readonly ImageItem[]) => void
  onCopy: (items: readonly ImageItem[]) => void
  /** Called when Delete is pressed, with the selected images or else the focused one. Returns those that are removed. */
  onDelete: (items: readonly ImageItem[]) => readonly ImageItem[]
  /** Called when the selected images, or else one, begin to be dragged. */
  onDrag?: (items: readonly ImageItem[]) => void
}

interface Props extends TileGridProps {
  grid: Grid
  months: readonly Month[]
  loaded: Loaded
  /** Returns the heading of a month. */
  heading?: (month: ShownMonth & { readonly month: string }) => ReactNode
  /** What a list adds to its tiles. */
  Extra?: ComponentType<TileExtraProps>
  children?: ReactNode
}

/** How many images on either side of one that is opened its page knows at once. */
const AROUND = 10

/** Images in justified rows, by month where they have months. Only those near the window are in the page. */
export function TileGrid(props: Props) {
  const { grid, months, loaded, selection, maySelect, label, onOpen, onCopy, onDelete, heading } = props
  const t = useTranslations('gallery')
  const format = useFormat()
  const { list, attach, unit, layout, parts, visible, view, reveal } = grid
  const mark = useMarking()
  const itemAt = (index: number) => findImage(parts, loaded, index)
  const listAround = (index: number) =>
    Array.from({ length: 2 * AROUND + 1 }, (_, at) => itemAt(index - AROUND + at)).flatMap((item) =>
      item && item.slug !== null ? item : [],
    )
  const chosen = (index: number) => {
    const item = itemAt(index)
    return selection.selected.length > 0 ? selection.selected : item ? [item] : []
  }
  const keys = useTileKeys({
    ...{ list, layout, reveal },
    onToggle: (index) => selection.toggle(index),
    onSelectAll: selection.selectAll,
    onEscape: selection.clear,
    onCopy: (index) => onCopy(chosen(index)),
    onFavourite: (index) => mark?.(chosen(index)),
    onDelete(index) {
      const own = itemAt(index)?.id
      const before = parts.flatMap(({ cursor, first }) =>
        (loaded.get(cursor) ?? []).slice(0, Math.max(0, index - first)).map(({ id }) => id),
      )
      const removed = new Set(onDelete(chosen(index)).map(({ id }) => id))
      return { before: before.filter((id) => removed.has(id)).length, isGone: own !== undefined && removed.has(own) }
    },
  })
  useAnchor(grid, loaded)
  useViewedFocus(grid, loaded, keys.focus)
  const { isSelecting } = selection
  const actions = useLatest<TileActions>({
    isSelecting,
    focus: keys.setActive,
    toggle: selection.toggle,
    open: (index) => onOpen(listAround(index)),
    copy: (index) => {
      const item = itemAt(index)
      if (item) onCopy([item])
    },
    drag: (index) => {
      const item = itemAt(index)
      if (item) props.onDrag?.(selection.has(item.id) ? selection.selected : [item])
    },
    favourite: (index) => {
      const item = itemAt(index)
      if (item) mark?.([item])
    },
  })
  const shown: readonly ShownMonth[] =
    layout && visible ? listMonths(layout, visible, keys.isInside ? keys.active : null) : listFirst(months, loaded)
  // A list that was scrolled away from its active tile is entered where it is.
  const isActiveShown = shown.some(({ tiles }) => tiles.some(({ index }) => index === keys.active))
  const stop = isActiveShown ? keys.active : shown[0]?.tiles[0]?.index
  return (
    <>
      <p id="tiles-keys" className="sr-only">
        {t('keys')}
      </p>
      <div
        ref={attach}
        {...keys.grid}
        data-selecting={isSelecting || undefined}
        className={`relative [overflow-anchor:none] ${rowHeights}`}
        style={layout ? { height: layout.height } : undefined}
      >
        <span ref={unit} aria-hidden="true" className="absolute h-(--row) w-1.5" />
        {shown.map(({ month, first, amount, place, tiles }) => (
          <div
            key={month}
            className={place ? 'absolute inset-x-0' : undefined}
            style={place ? { top: place.top, height: place.height } : undefined}
          >
            {month !== null && heading?.({ month, first, amount, place, tiles })}
            <ul
              aria-label={month === null ? label : t('labelOfMonth', { label, month: format.month(month) })}
              aria-describedby="tiles-keys"
              className={place ? 'relative' : justified}
            >
              {tiles.map(({ index, box }) => {
                const item = view.isFast ? undefined : itemAt(index)
                const where = { index, isActive: index === stop, position: index - first + 1, amount }
                if (!item) return box && <LoadingTile key={`${index}`} {...where} box={box} />
                return (
                  <Tile
                    key={item.id}
                    {...where}
                    item={item}
                    box={box}
                    isSelected={selection.has(item.id)}
                    maySelect={maySelect(item)}
                    showOwner={props.scope !== 'mine'}
                    isGallery={props.scope === 'gallery'}
                    href={props.getHref(item)}
                    isFirst={index < FIRST}
                    mayMark={mark !== null}
                    actions={actions}
                    Extra={props.Extra}
                  />
                )
              })}
              {!place && <TilesEnd />}
            </ul>
          </div>
        ))}
        {props.children}
      </div>
    </>
  )
}
