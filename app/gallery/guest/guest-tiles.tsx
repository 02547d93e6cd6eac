'use client'

import { justified, rowHeights } from '../tile-shape.ts'
import { TilesEnd } from '../tiles-end.tsx'
import { GuestTile, type GuestTileItem } from './guest-tile.tsx'

/** How many images are surely in view at once. */
const FIRST = 4

interface Props {
  label: string
  items: readonly GuestTileItem[]
}

/** A page of images for guests. */
export function GuestTiles({ label, items }: Props) {
  return (
    <ul aria-label={label} className={`${justified} ${rowHeights}`}>
      {items.map((item, at) => (
        <GuestTile key={item.href} item={item} isFirst={at < FIRST} />
      ))}
      <TilesEnd />
    </ul>
  )
}
