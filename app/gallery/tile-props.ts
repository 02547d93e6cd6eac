import type { RefObject } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'

export interface TileProps {
  item: ImageItem
  isActive: boolean
  isSelected: boolean
  maySelect: boolean
  showOwner: boolean
  /** Whether all images are public, so that the badge is left out. */
  isGallery: boolean
  href: string | null
  index: number
  /** The actions on a tile, by its index. */
  actions: RefObject<TileActions>
}

export interface TileActions {
  /** Whether a click selects. The list has `data-selecting` then, and every tile shows its checkbox. */
  readonly isSelecting: boolean
  readonly focus: (index: number) => void
  readonly toggle: (index: number, through: boolean) => void
  readonly open: () => void
  readonly copy: (index: number) => void
}
