'use client'

import { Lock } from 'lucide-react'
import Link from 'next/link'
import { type MouseEvent, useState } from 'react'
import { placeholderColour } from '#app/image/placeholder.ts'
import { LinkProgress } from '#app/ui/link-progress.tsx'
import { ownerName } from '#app/ui/owner-name.ts'
import { Thumbnail } from './thumbnail.tsx'
import { TileName } from './tile-parts.tsx'
import type { TileProps } from './tile-props.ts'
import { writePlacedSizes, writeSizes } from './tile-shape.ts'

/** The picture of a tile, which opens it; a lock where the viewer may not see the image. */
export function TileFace({
  item,
  href,
  name,
  isActive,
  isPlaying,
  index,
  isFirst,
  box,
  actions,
}: TileProps & { name: string; isPlaying: boolean }) {
  // What the browser loaded for a tile that came as HTML stays: placed, it may be a little wider.
  const [isEarly] = useState(!box)
  const shared = {
    'data-tile': index,
    tabIndex: isActive ? 0 : -1,
    onFocus: () => actions.current.focus(index),
  } as const
  if (!item.url || !href) {
    const content = (
      <>
        <Lock size={20} />
        <span className="max-w-full truncate text-xs">{ownerName(item.owner)}</span>
      </>
    )
    return (
      <div
        {...shared}
        role="img"
        aria-label={name}
        className="flex size-full flex-col items-center justify-center gap-1.5 bg-[repeating-linear-gradient(135deg,transparent_0_9px,var(--color-line)_9px_10px)] p-2 text-ink-soft focus-visible:-outline-offset-2"
      >
        {content}
      </div>
    )
  }
  const click = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey) return
    if (!actions.current.isSelecting) return actions.current.open(index)
    event.preventDefault()
    actions.current.toggle(index, event.shiftKey)
  }
  return (
    <Link
      {...shared}
      href={href}
      prefetch={false}
      draggable
      onDragStart={() => actions.current.drag(index)}
      onClick={click}
      className="block size-full outline-none"
    >
      <Thumbnail
        image={item}
        alt={name}
        sizes={box && !isEarly ? writePlacedSizes(item, box) : writeSizes(item, false)}
        isPlaying={isPlaying}
        isFirst={isFirst}
        colour={box || !item.placeholder ? null : placeholderColour(item.placeholder)}
      />
      <TileName>{name}</TileName>
      <LinkProgress />
    </Link>
  )
}
