'use client'

import { BookImage } from 'lucide-react'
import type { AlbumItem } from '#app/connection/trpc.ts'
import { Thumbnail } from '#app/gallery/thumbnail.tsx'

/** What a cover shows of its image. */
export type Cover = Pick<
  NonNullable<AlbumItem['cover']>,
  'url' | 'variants' | 'placeholder' | 'width' | 'height' | 'frames'
>

interface Props {
  cover: Cover | null
  /** For example `(min-width: 64rem) 18rem, 50vw`. */
  sizes: string
  isFirst?: boolean
}

/** The picture of an album, which fills its box. Its name is beside it, so it has none of its own. */
export function CoverPicture({ cover, sizes, isFirst = false }: Props) {
  if (!cover)
    return (
      <span className="grid size-full place-items-center bg-sunken text-ink-soft">
        <BookImage size={32} strokeWidth={1.4} aria-hidden="true" />
      </span>
    )
  return <Thumbnail image={cover} alt="" sizes={sizes} isFirst={isFirst} />
}
