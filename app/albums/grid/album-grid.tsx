'use client'

import { useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import type { AlbumItem, ImageItem } from '#app/connection/trpc.ts'
import { browsed } from '#app/gallery/browsed.ts'
import { imageName } from '#app/gallery/selecting/many.ts'
import type { Selection } from '#app/gallery/selecting/use-selection.ts'
import { plainStrip } from '#app/gallery/timeline/strip.ts'
import { TileGrid } from '#app/gallery/timeline/tile-grid.tsx'
import { useGrid } from '#app/gallery/timeline/use-grid.ts'
import { markGap } from './gaps.ts'
import { AlbumTileExtra, AlbumTilesContext } from './tile-extra.tsx'
import { type Moving, useArranging } from './use-arranging.ts'

interface Props {
  album: AlbumItem
  items: readonly ImageItem[]
  selection: Selection
  /** Moves images, in the order of the list, right before or after another. */
  onMove: (ids: readonly string[], target: string, isBefore: boolean) => void
  onCopy: (items: readonly ImageItem[]) => void
  /** Removes images from the album, or null for those who may not. */
  onRemove: ((items: readonly ImageItem[]) => void) | null
}

/** The images of an album. Those who may edit it drag them into their order, also by keyboard. */
export function AlbumGrid({ album, items, selection, onMove, onCopy, onRemove }: Props) {
  const t = useTranslations('albums')
  const strip = useMemo(() => plainStrip(items), [items])
  const grid = useGrid(strip.months)
  const isArrangeable = album.mayEdit && album.order === 'manual'
  const chosen = new Set(selection.selected.map(({ id }) => id))
  const { moving, ghost, press, pressKey, cancelKeys } = useArranging({ grid, items, chosen, onMove })
  const mark = moving && grid.layout && markGap(grid.layout, moving.gap)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dragging is one way to move an image; its handle is a button
    <div
      onPointerDown={isArrangeable ? press : undefined}
      onDragStart={(event) => isArrangeable && event.preventDefault()}
      className={moving ? 'cursor-grabbing select-none' : undefined}
    >
      {isArrangeable && (
        <p id="album-keys" className="sr-only">
          {t('keys')}
        </p>
      )}
      <AlbumTilesContext
        value={{
          coverId: album.mayEdit ? album.cover?.id : undefined,
          moving: moving?.ids,
          onKey: isArrangeable ? pressKey : null,
          onBlur: cancelKeys,
        }}
      >
        <TileGrid
          {...strip}
          grid={grid}
          label={t('images')}
          selection={selection}
          maySelect={() => true}
          scope="all"
          getHref={({ slug }) => slug && `/image/${slug}?album=${album.id}`}
          onOpen={browsed.open}
          onCopy={onCopy}
          onDelete={(images) => {
            onRemove?.(images)
            return onRemove ? images : []
          }}
          Extra={AlbumTileExtra}
        >
          {mark && (
            <span
              aria-hidden="true"
              style={mark}
              className="pointer-events-none absolute z-2 w-1 -translate-x-1/2 rounded-full bg-water ring-1 ring-ground"
            />
          )}
        </TileGrid>
      </AlbumTilesContext>
      {moving?.by === 'pointer' && (
        <span
          ref={ghost}
          aria-hidden="true"
          className="figures pointer-events-none fixed top-0 left-0 z-30 rounded-md bg-ink px-3 py-1.5 text-sm font-medium text-ground"
        >
          {t('moving', { count: moving.ids.size })}
        </span>
      )}
      <p role="status" className="sr-only">
        {moving?.by === 'keys' && <Place items={items} moving={moving} />}
      </p>
    </div>
  )
}

/** Where the images would come to be, for screen readers. */
function Place({ items, moving: { gap } }: { items: readonly ImageItem[]; moving: Moving }) {
  const t = useTranslations('albums')
  const tGallery = useTranslations('gallery')
  const next = items[gap]
  const last = items.at(-1)
  if (next) return t('placeBefore', { name: imageName(next, tGallery) })
  return last && t('placeAfter', { name: imageName(last, tGallery) })
}
