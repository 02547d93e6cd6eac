'use client'

import { GripVertical } from 'lucide-react'
import { createContext, type KeyboardEvent, useContext } from 'react'
import { useTranslations } from 'use-intl/react'
import { imageName } from '#app/gallery/selecting/many.ts'
import { Badge } from '#app/gallery/tile-parts.tsx'
import type { TileExtraProps } from '#app/gallery/tile-props.ts'

interface AlbumTiles {
  /** The image that is marked as the cover, for those who may change it. */
  readonly coverId: string | undefined
  /** The images that are being moved. */
  readonly moving: ReadonlySet<string> | undefined
  /** Null where the order cannot be changed. */
  readonly onKey: ((event: KeyboardEvent, index: number) => void) | null
  readonly onBlur: () => void
}

export const AlbumTilesContext = createContext<AlbumTiles | null>(null)

/** What a tile of an album has more than others: the sign of the cover, and the handle that moves it. */
export function AlbumTileExtra({ item, index, isActive }: TileExtraProps) {
  const t = useTranslations('albums')
  const tGallery = useTranslations('gallery')
  const tiles = useContext(AlbumTilesContext)
  if (!tiles) return null
  const { coverId, moving, onKey, onBlur } = tiles
  return (
    <>
      {moving?.has(item.id) && <span aria-hidden="true" className="absolute inset-0 z-1 bg-ground/60" />}
      {coverId === item.id && (
        <span className="pointer-events-none absolute bottom-2 left-2 z-1 group-focus-within:bottom-8 group-hover:bottom-8">
          <Badge>{t('isCover')}</Badge>
        </span>
      )}
      {onKey && (
        <button
          type="button"
          data-handle={item.id}
          aria-label={t('drag', { name: imageName(item, tGallery) })}
          aria-describedby="album-keys"
          tabIndex={isActive ? 0 : -1}
          onKeyDown={(event) => onKey(event, index)}
          onBlur={onBlur}
          className="absolute top-8 left-0 z-1 grid size-10 cursor-grab touch-none place-items-center opacity-0 transition-opacity duration-100 group-focus-within:opacity-100 group-hover:opacity-100 active:cursor-grabbing in-data-selecting:opacity-100 pointer-coarse:opacity-100"
        >
          <GripVertical size={24} className="rounded-full bg-black/50 p-1 text-white" />
        </button>
      )}
    </>
  )
}
