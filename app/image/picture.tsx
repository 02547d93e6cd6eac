'use client'

import { ImageOff } from 'lucide-react'
import { useMemo } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { RefusalNotice } from '#app/limits/refusal-notice.tsx'
import { pathOf } from '#app/shell/safe-path.ts'
import { Button } from '#app/ui/button.tsx'
import { placeholderImage } from './placeholder.ts'
import { Rendering } from './rendering.tsx'
import { sourceOf } from './renditions.ts'
import { usePicture } from './use-picture.ts'

/** As wide as the stage allows: `--stage` in Stage is the height, and the panel stands beside it on wide windows. */
function sizesOf({ width, height }: ImageItem): string {
  const ratio = (width / height).toFixed(4)
  const wide = `min(100vw - 25.5rem, (100vh - 6.5rem) * ${ratio}, ${width}px)`
  return `(min-width: 64rem) ${wide}, min(100vw, 68vh * ${ratio}, ${width}px)`
}

/** The page-size view in the place it will fill, over a blur of it and the thumbnail that is there already. */
export function Picture({ url, image, isPlaying }: { url: string; image: ImageItem; isPlaying: boolean }) {
  const picture = usePicture()
  const { state, refusal, retry } = picture
  const { width, height, thumbnailUrl, placeholder, title, mime, frames } = image
  const blur = useMemo(() => placeholder && placeholderImage(placeholder), [placeholder])
  const source = sourceOf(image, 'page', isPlaying)
  if (refusal) return <RefusalNotice refusal={refusal} resumes className="m-6" />
  if (!source || state === 'broken') {
    return (
      <div className="flex flex-col items-center gap-3 p-10 text-ink-soft">
        <ImageOff size={30} />
        <p>The picture could not be loaded.</p>
        <Button size="small" onPress={retry}>
          Try again
        </Button>
      </div>
    )
  }
  const preview = frames === 1 && thumbnailUrl ? `url("${pathOf(thumbnailUrl)}")` : null
  const backdrop = [preview, blur].filter(Boolean).join(', ')
  return (
    <a
      href={pathOf(url)}
      target="_blank"
      rel="noreferrer"
      aria-label="Open the original"
      className={`relative block cursor-zoom-in bg-size-[100%_100%] lg:shadow-raised ${state === 'shown' && mime !== 'image/jpeg' ? 'checks' : ''}`}
      style={{
        width: `min(100%, ${width}px, calc(var(--stage) * ${width / height}))`,
        ...(state === 'loading' && { backgroundImage: backdrop }),
      }}
    >
      <Rendering
        source={source}
        picture={picture}
        alt={title ?? ''}
        width={width}
        height={height}
        sizes={sizesOf(image)}
        className="h-auto w-full"
      />
    </a>
  )
}
