'use client'

import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import type { Selection } from './selecting/use-selection.ts'
import { Tile } from './tile.tsx'
import type { TileActions } from './tile-props.ts'
import { justified, rowHeights } from './tile-shape.ts'
import type { ListScope } from './use-image-list.ts'
import { useLatest } from './use-latest.ts'
import { useTileKeys } from './use-tile-keys.ts'

interface Props {
  label: string
  items: readonly ImageItem[]
  selection: Selection
  maySelect: (item: ImageItem) => boolean
  scope: ListScope
  getHref: (item: ImageItem) => string | null
  onOpen: () => void
  onCopy: (items: readonly ImageItem[]) => void
  /** Called when Delete is pressed, with the selected images or else the focused one. Returns those that are removed. */
  onDelete: (items: readonly ImageItem[]) => readonly ImageItem[]
  children?: ReactNode
}

/** Images in justified rows, newest first. The browser lays out the rows: each tile grows with its aspect ratio. */
export function Tiles({ label, items, selection, maySelect, scope, getHref, onOpen, onCopy, onDelete }: Props) {
  const t = useTranslations('gallery')
  const chosen = (index: number) => (selection.selected.length > 0 ? selection.selected : items.slice(index, index + 1))
  const { grid, active, setActive, onKeyDown } = useTileKeys({
    ids: items.map(({ id }) => id),
    onToggle: (index) => selection.toggle(index),
    onSelectAll: selection.selectAll,
    onEscape: selection.clear,
    onCopy: (index) => onCopy(chosen(index)),
    onDelete: (index) => onDelete(chosen(index)).map(({ id }) => id),
  })
  const { isSelecting } = selection
  const actions = useLatest<TileActions>({
    isSelecting,
    focus: setActive,
    toggle: selection.toggle,
    open: onOpen,
    copy: (index) => onCopy(items.slice(index, index + 1)),
  })
  const stop = Math.min(active, items.length - 1)
  return (
    <>
      <p id="tiles-keys" className="sr-only">
        {t('keys')}
      </p>
      <ul
        ref={grid}
        data-selecting={isSelecting || undefined}
        aria-label={label}
        aria-describedby="tiles-keys"
        onKeyDown={onKeyDown}
        className={`${justified} ${rowHeights}`}
      >
        {items.map((item, index) => (
          <Tile
            key={item.id}
            item={item}
            isActive={index === stop}
            isSelected={selection.has(item.id)}
            maySelect={maySelect(item)}
            showOwner={scope !== 'mine'}
            isGallery={scope === 'gallery'}
            href={getHref(item)}
            index={index}
            actions={actions}
          />
        ))}
      </ul>
    </>
  )
}

const shapes = [1.5, 0.75, 1.33, 1.5, 1, 1.78, 0.75, 1.5, 1.33, 0.8, 1.6, 1.5, 0.7, 1.33].map(
  (ratio, key) => [key, ratio] as const,
)

/** Placeholder rows while the list loads. */
export function TilesSkeleton() {
  return (
    <div aria-hidden="true" className={`flex flex-wrap gap-1.5 ${rowHeights}`}>
      {shapes.map(([key, ratio]) => (
        <span
          key={key}
          className="animate-shimmer rounded-[3px] bg-sunken"
          style={{ flexGrow: ratio, flexBasis: `calc(var(--row) * ${ratio})`, aspectRatio: ratio }}
        />
      ))}
    </div>
  )
}
