'use client'

import { FIRST, justified, rowHeights } from '../tile-shape.ts'
import { TilesEnd } from '../tiles-end.tsx'
import { GuestTile, type GuestTileItem } from './guest-tile.tsx'

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
