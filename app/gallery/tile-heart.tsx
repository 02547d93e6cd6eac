'use client'

import { Heart } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { Tip } from '#app/ui/tip.tsx'

interface Props {
  name: string
  isFavourite: boolean
  tabIndex: number
  onToggle: () => void
  className: string
}

/** Marks a tile's image as a favourite. Shown while the pointer or the focus is on the tile, and always on a favourite. */
export function TileHeart({ name, isFavourite, tabIndex, onToggle, className }: Props) {
  const t = useTranslations('gallery')
  const label = t(isFavourite ? 'unfavourite' : 'favourite', { name })
  return (
    <Tip text={label}>
      <button
        type="button"
        aria-label={label}
        tabIndex={tabIndex}
        onClick={onToggle}
        className={`grid size-10 place-items-center transition-opacity duration-100 group-focus-within:opacity-100 group-hover:opacity-100 in-data-selecting:pointer-events-none ${isFavourite ? '' : 'opacity-0 in-data-selecting:hidden!'} ${className}`}
      >
        <Heart
          size={24}
          fill={isFavourite ? 'currentColor' : 'none'}
          className="rounded-full bg-black/50 p-1 text-white transition-colors duration-100 hover:bg-black/80"
        />
      </button>
    </Tip>
  )
}
