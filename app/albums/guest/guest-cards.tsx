'use client'

import { AlbumCard, type CardItem, cards } from '../album-card.tsx'

/** How many covers are surely in view at once. */
const FIRST = 4

interface Props {
  label: string
  items: readonly CardItem[]
}

/** A page of albums for guests. */
export function GuestCards({ label, items }: Props) {
  return (
    <ul aria-label={label} className={cards}>
      {items.map((item, at) => (
        <AlbumCard key={item.href} item={item} isFirst={at < FIRST} />
      ))}
    </ul>
  )
}
