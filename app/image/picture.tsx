'use client'

import { ImageOff } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { LateRefusal } from '#app/limits/late-refusal.tsx'
import { toPath } from '#app/shell/safe-path.ts'
import { Button } from '#app/ui/button.tsx'
import { findLoaded } from './loaded.ts'
import { placeholderImage } from './placeholder.ts'
import { Rendering } from './rendering.tsx'
import { chooseSource } from './renditions.ts'
import { usePicture } from './use-picture.ts'
import { writeSizes, writeWidth, type Zoom } from './zoom/zoom.ts'

interface Props {
  url: string
  image: ImageItem
  isPlaying: boolean
  zoom: Zoom
  /** Whether the viewer asked for the original, to see more of it than the largest rendering has. */
  isOriginal: boolean
}

/** The image over a blurred placeholder, and over what a list has loaded of it, until it is loaded itself. The browser loads the
 *  rendering that the zoom needs. A link to the original, until the code for zooming has been loaded and whenever it is used as a link. */
export function Picture({ url, image, isPlaying, zoom, isOriginal }: Props) {
  const t = useTranslations('image')
  const picture = usePicture()
  const { state, refusal, retry } = picture
  const { width, height, placeholder, title, mime, frames } = image
  const blur = useMemo(() => placeholder && placeholderImage(placeholder), [placeholder])
  const source = chooseSource(image, 'page', isPlaying, isOriginal)
  if (refusal) return <LateRefusal refusal={refusal} resumes className="m-6" />
  if (!source || state === 'broken') {
    return (
      <div className="m-auto flex flex-col items-center gap-3 p-10 text-ink-soft">
        <ImageOff size={30} />
        <p>{t('notLoaded')}</p>
        <Button size="small" onPress={retry}>
          {t('tryAgain')}
        </Button>
      </div>
    )
  }
  const preview = frames === 1 && findLoaded(image)
  const backdrop = [preview && `url("${preview}")`, blur].filter(Boolean).join(', ')
  const cursor = typeof zoom === 'number' ? 'cursor-grab active:cursor-grabbing' : 'cursor-zoom-in'
  return (
    <a
      data-picture
      href={toPath(url)}
      target="_blank"
      rel="noreferrer"
      aria-label={t('openOriginal')}
      className={`relative m-auto block flex-none bg-size-[100%_100%] ${cursor} ${zoom === 'fit' ? 'lg:shadow-raised' : ''} ${state === 'shown' && mime !== 'image/jpeg' ? 'checks' : ''}`}
      style={{
        width: writeWidth(image, zoom),
        ...(state === 'loading' && { backgroundImage: backdrop }),
      }}
    >
      <Rendering
        source={source}
        picture={picture}
        alt={title ?? ''}
        width={width}
        height={height}
        sizes={writeSizes(image, zoom)}
        fetchPriority="high"
        className="h-auto w-full max-w-none"
        // A smaller rendering has rounded its sides: the box stays as another takes its place.
        style={{ aspectRatio: `${width} / ${height}` }}
      />
    </a>
  )
}
