import type { ComponentType, RefObject } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import type { Box } from './timeline/justify.ts'

export interface TileExtraProps {
  item: ImageItem
  index: number
  isActive: boolean
}

export interface TileProps {
  item: ImageItem
  isActive: boolean
  isSelected: boolean
  maySelect: boolean
  /** Whether the viewer keeps favourites. */
  mayMark: boolean
  showOwner: boolean
  /** Whether all images are public, so that the badge is left out. */
  isGallery: boolean
  href: string | null
  /** Its position in the list, and in its month, which has `amount` images. */
  index: number
  position: number
  amount: number
  /** Where the tile is; null until rows are computed, when the browser lays them out. */
  box: Box | null
  /** Whether the tile is in view before the page is scrolled. */
  isFirst: boolean
  /** The actions on a tile, by its index. */
  actions: RefObject<TileActions>
  Extra: ComponentType<TileExtraProps> | undefined
}

export interface TileActions {
  /** Whether a click selects. The list has `data-selecting` then, and every tile shows its checkbox. */
  readonly isSelecting: boolean
  readonly focus: (index: number) => void
  readonly toggle: (index: number, through: boolean) => void
  readonly open: (index: number) => void
  readonly copy: (index: number) => void
  readonly favourite: (index: number) => void
  /** Called when it begins to be dragged. */
  readonly drag: (index: number) => void
}
