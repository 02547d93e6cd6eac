'use client'

import { ImageOff } from 'lucide-react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { RefusalNotice } from '#app/limits/refusal-notice.tsx'
import { pathOf } from '#app/shell/safe-path.ts'
import { Button } from '#app/ui/button.tsx'
import { usePicture } from './use-picture.ts'

/** The page-size view in the place it will fill, over the thumbnail that is there already. */
export function Picture({ url, image }: { url: string; image: ImageItem }) {
  const src = `${pathOf(url)}?w=1600`
  const { state, attempt, refusal, retry, onLoad, onError } = usePicture(src)
  if (refusal) return <RefusalNotice refusal={refusal} className="m-6" />
  if (state === 'broken') {
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
  const { width, height, thumbnailUrl, title, mime } = image
  const preview = state === 'loading' && thumbnailUrl ? `url("${pathOf(thumbnailUrl)}")` : undefined
  return (
    <a
      href={pathOf(url)}
      target="_blank"
      rel="noreferrer"
      aria-label="Open the original"
      className="block cursor-zoom-in"
      style={{ width: `min(100%, ${width}px, calc(var(--stage) * ${width / height}))` }}
    >
      <img
        key={attempt}
        src={src}
        alt={title ?? ''}
        width={width}
        height={height}
        onLoad={onLoad}
        onError={onError}
        style={{ backgroundImage: preview }}
        className={`h-auto w-full bg-cover lg:shadow-raised ${state === 'shown' && mime !== 'image/jpeg' ? 'checks' : ''}`}
      />
    </a>
  )
}
