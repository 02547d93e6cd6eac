'use client'

import { ImageOff } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { RefusalNotice } from '#app/limits/refusal-notice.tsx'
import { toPath } from '#app/shell/safe-path.ts'
import { Button } from '#app/ui/button.tsx'
import { placeholderImage } from './placeholder.ts'
import { Rendering } from './rendering.tsx'
import { chooseSource } from './renditions.ts'
import { usePicture } from './use-picture.ts'

/** The `sizes` attribute: as wide as the stage allows. Stage sets the height, `--stage`; on wide windows the panel is beside it. */
function writeSizes({ width, height }: ImageItem): string {
  const ratio = (width / height).toFixed(4)
  const wide = `min(100vw - 25.5rem, (100vh - 6.5rem) * ${ratio}, ${width}px)`
  return `(min-width: 64rem) ${wide}, min(100vw, 68vh * ${ratio}, ${width}px)`
}

/** The image at page size, over a blurred placeholder and the cached thumbnail until it is loaded. */
export function Picture({ url, image, isPlaying }: { url: string; image: ImageItem; isPlaying: boolean }) {
  const t = useTranslations('image')
  const picture = usePicture()
  const { state, refusal, retry } = picture
  const { width, height, thumbnailUrl, placeholder, title, mime, frames } = image
  const blur = useMemo(() => placeholder && placeholderImage(placeholder), [placeholder])
  const source = chooseSource(image, 'page', isPlaying)
  if (refusal) return <RefusalNotice refusal={refusal} resumes className="m-6" />
  if (!source || state === 'broken') {
    return (
      <div className="flex flex-col items-center gap-3 p-10 text-ink-soft">
        <ImageOff size={30} />
        <p>{t('notLoaded')}</p>
        <Button size="small" onPress={retry}>
          {t('tryAgain')}
        </Button>
      </div>
    )
  }
  const preview = frames === 1 && thumbnailUrl ? `url("${toPath(thumbnailUrl)}")` : null
  const backdrop = [preview, blur].filter(Boolean).join(', ')
  return (
    <a
      href={toPath(url)}
      target="_blank"
      rel="noreferrer"
      aria-label={t('openOriginal')}
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
        sizes={writeSizes(image)}
        className="h-auto w-full"
      />
    </a>
  )
}
