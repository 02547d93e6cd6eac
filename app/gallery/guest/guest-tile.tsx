'use client'

import type { ImageItem } from '#app/connection/trpc.ts'
import { MotionToggle } from '../motion-toggle.tsx'
import { Thumbnail } from '../thumbnail.tsx'
import { Badge, TileName } from '../tile-parts.tsx'
import { clampRatio, writeSizes } from '../tile-shape.ts'
import { useMotion } from '../use-motion.ts'

/** What a tile shows of an image, and no more, because the page has it twice: as HTML and for its script. */
export interface GuestTileItem extends Pick<ImageItem, 'url' | 'variants' | 'frames' | 'mime' | 'width' | 'height'> {
  readonly href: string
  readonly name: string
  /** The owner's display name. */
  readonly owner: string | null
  /** The colour until the image has loaded. */
  readonly colour: string | null
}

/** An image in a guest's gallery: a link to its page. */
export function GuestTile({ item, isFirst }: { item: GuestTileItem; isFirst: boolean }) {
  const motion = useMotion(item)
  const ratio = clampRatio(item)
  const { href, name, owner, colour } = item
  return (
    <li
      {...motion.pointer}
      className="group @container relative overflow-hidden rounded-[3px] bg-sunken"
      style={{
        flexGrow: ratio,
        flexBasis: `calc(var(--row) * ${ratio})`,
        aspectRatio: ratio,
        ...(colour && { backgroundColor: colour }),
      }}
    >
      <a href={href} className="block size-full focus-visible:-outline-offset-3">
        <Thumbnail image={item} alt={name} sizes={writeSizes(item)} isPlaying={motion.isPlaying} isFirst={isFirst} />
        <TileName>{name}</TileName>
      </a>
      {owner !== null && (
        <span className="pointer-events-none absolute right-2 bottom-2 flex max-w-[calc(100%-1rem)]">
          <Badge>{owner}</Badge>
        </span>
      )}
      {motion.isAnimation && (
        <MotionToggle
          image={item}
          name={name}
          isPlaying={motion.isPlaying}
          onToggle={motion.toggle}
          className="absolute top-2 right-2"
        />
      )}
    </li>
  )
}
