'use client'

import { type KeyboardEvent, useState } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { readLinkFormat } from '#app/image/link-format.ts'
import { writeLink } from '#app/image/snippets.ts'
import { copyOrShow } from '#app/ui/copy.ts'
import { MotionToggle } from '../motion-toggle.tsx'
import { Thumbnail } from '../thumbnail.tsx'
import { TileCopy } from '../tile-copy.tsx'
import { Badge, TileName } from '../tile-parts.tsx'
import { clampRatio, growStyle, writeSizes } from '../tile-shape.ts'
import { useMotion } from '../use-motion.ts'

/** What a tile shows of an image, and no more, because the page has it twice: as HTML and for its script. */
export interface GuestTileItem
  extends Pick<ImageItem, 'url' | 'variants' | 'variantsAwaited' | 'frames' | 'mime' | 'width' | 'height'> {
  readonly href: string
  /** The image's own address; null where the link is not for passing on. */
  readonly slug: string | null
  readonly name: string
  /** The owner's display name. */
  readonly owner: string | null
  /** The colour until the image has loaded. */
  readonly colour: string | null
}

/** How long a copied link is confirmed (ms). */
const CONFIRMED_MS = 2_000

/** An image in a guest's gallery: a link to its page. `c` copies its link while the focus is on it. */
export function GuestTile({ item, isFirst }: { item: GuestTileItem; isFirst: boolean }) {
  const motion = useMotion(item)
  const { href, name, owner, colour, url, slug, width, height } = item
  const [isCopied, setCopied] = useState(false)
  const copy =
    url !== null && slug !== null
      ? async () => {
          if (!(await copyOrShow(writeLink({ url, slug, title: name, width, height }, readLinkFormat())))) return
          setCopied(true)
          setTimeout(() => setCopied(false), CONFIRMED_MS)
        }
      : null
  const press = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent) => {
    if (key === 'c' && !altKey && !ctrlKey && !metaKey) void copy?.()
  }
  return (
    <li
      {...motion.pointer}
      onKeyDown={press}
      // Its box does not depend on what is in it, so that a phone lays out only what is near the window.
      className="group @container relative overflow-hidden rounded-[3px] bg-sunken [content-visibility:auto]"
      style={{
        ...growStyle(clampRatio(item)),
        ...(colour && { backgroundColor: colour }),
      }}
    >
      <a href={href} className="block size-full focus-visible:-outline-offset-3">
        <Thumbnail
          image={item}
          alt={name}
          sizes={writeSizes(item, !isFirst)}
          isPlaying={motion.isPlaying}
          isFirst={isFirst}
        />
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
          className="absolute top-2 right-2 z-1"
        />
      )}
      {copy && (
        <TileCopy
          name={name}
          isCopied={isCopied}
          onCopy={() => void copy()}
          className={`@max-[5.5rem]:hidden ${motion.isAnimation ? 'top-8' : 'top-0'}`}
        />
      )}
    </li>
  )
}
