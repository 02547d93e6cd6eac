'use client'

import { ImageOff } from 'lucide-react'
import { useMemo } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { placeholderImage } from '#app/image/placeholder.ts'
import { Rendering } from '#app/image/rendering.tsx'
import { sourceOf } from '#app/image/renditions.ts'
import { usePicture } from '#app/image/use-picture.ts'
import { Gate } from '#app/limits/gate.tsx'

interface Props {
  image: ImageItem
  alt: string
  /** How wide it is shown, for the choice among its sizes. */
  sizes: string
  isPlaying?: boolean
}

/** A small picture in the box it is given, over a blur of itself until it is there. One that a limit holds back shows the gate, and comes by itself. */
export function Thumbnail({ image, alt, sizes, isPlaying = false }: Props) {
  const picture = usePicture()
  const blur = useMemo(() => image.placeholder && placeholderImage(image.placeholder), [image.placeholder])
  const source = sourceOf(image, 'tile', isPlaying)
  const { state } = picture
  if (!source || state === 'broken' || state === 'refused') {
    const label = state === 'refused' ? `${alt}: waits for a limit` : `${alt}: could not be loaded`
    return (
      <span role="img" aria-label={label} className="grid size-full place-items-center text-ink-soft">
        {state === 'refused' ? <Gate progress={0} className="size-6 text-gate" /> : <ImageOff size={20} />}
      </span>
    )
  }
  return (
    <span
      className="relative block size-full overflow-hidden bg-cover bg-center"
      style={state === 'loading' && blur ? { backgroundImage: blur } : undefined}
    >
      <Rendering
        source={source}
        picture={picture}
        alt={alt}
        width={image.width}
        height={image.height}
        sizes={sizes}
        loading="lazy"
        decoding="async"
        className="size-full object-cover"
      />
    </span>
  )
}
