'use client'

import { ImageOff } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { placeholderImage } from '#app/image/placeholder.ts'
import { Rendering } from '#app/image/rendering.tsx'
import { chooseSource } from '#app/image/renditions.ts'
import { useMade } from '#app/image/use-made.ts'
import { usePicture } from '#app/image/use-picture.ts'
import { WaitMeter } from '#app/limits/wait-meter.tsx'

interface Props {
  image: Pick<ImageItem, 'url' | 'variants' | 'frames' | 'width' | 'height'> &
    Partial<Pick<ImageItem, 'variantsAwaited' | 'placeholder'>>
  alt: string
  /** The `sizes` attribute of the image. */
  sizes: string
  isPlaying?: boolean
  /** Whether the tile is in view before the page is scrolled. */
  isFirst?: boolean
  /** A placeholder that costs next to nothing, for what is sent as HTML; by default a blurred image. */
  colour?: string | null
}

/** A small image that fills its box, with a blurred placeholder until it is loaded. If a limit refuses it, it shows the limit icon and loads later by itself. */
export function Thumbnail({ image, alt, sizes, isPlaying = false, isFirst = false, colour = null }: Props) {
  const t = useTranslations('gallery')
  const picture = usePicture()
  const source = chooseSource(useMade(image), 'tile', isPlaying)
  const { state } = picture
  const isLoading = state === 'loading'
  const { placeholder } = image
  const background = useMemo(() => {
    if (!isLoading || !placeholder) return undefined
    return colour === null ? { backgroundImage: placeholderImage(placeholder) } : { backgroundColor: colour }
  }, [isLoading, colour, placeholder])
  if (!source || state === 'broken' || state === 'refused') {
    const label = t(state === 'refused' ? 'loadsLater' : 'notLoaded', { name: alt })
    return (
      <span role="img" aria-label={label} className="grid size-full place-items-center text-ink-soft">
        {state === 'refused' ? <WaitMeter progress={0} className="size-6 text-gate" /> : <ImageOff size={20} />}
      </span>
    )
  }
  return (
    <span className="relative block size-full overflow-hidden bg-cover bg-center" style={background}>
      <Rendering
        source={source}
        picture={picture}
        alt={alt}
        width={image.width}
        height={image.height}
        sizes={sizes}
        {...(isFirst ? { fetchPriority: 'high' } : { loading: 'lazy', decoding: 'async' })}
        className="size-full object-cover"
      />
    </span>
  )
}
