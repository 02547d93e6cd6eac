'use client'

import { ImageOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { placeholderColour } from '#app/image/placeholder.ts'
import { useMade } from '#app/image/use-made.ts'
import { firstZoom, writeWidth } from '#app/image/zoom/zoom.ts'
import { toPath } from '#app/shell/safe-path.ts'
import { Button } from '#app/ui/button.tsx'
import type { SharedImage } from '#server/sharing/shared-item.ts'

/** An image of a share at page size, a tall one as wide as it is; a click opens it by itself. */
export function SharedPicture({ image, title }: { image: SharedImage; title: string }) {
  const t = useTranslations('shared')
  const [tries, setTries] = useState(0)
  const [isBroken, setBroken] = useState(false)
  const element = useRef<HTMLImageElement>(null)
  // It may have failed before the script was there to notice.
  useEffect(() => {
    const { current } = element
    if (current?.complete && current.naturalWidth === 0) setBroken(true)
  }, [])
  const { url, originalUrl, variants, width, height, frames, placeholder } = useMade(image)
  if (isBroken) {
    return (
      <div className="flex flex-col items-center gap-3 p-10 text-ink-soft">
        <ImageOff size={30} />
        <p>{t('notLoaded')}</p>
        <Button
          size="small"
          onPress={() => {
            setTries(tries + 1)
            setBroken(false)
          }}
        >
          {t('tryAgain')}
        </Button>
      </div>
    )
  }
  const moving = frames > 1 ? (originalUrl ?? variants.findLast(({ moves }) => moves)?.url) : null
  const src = toPath(moving ?? `${url.replace(/\?.*/, '')}?w=1600`)
  const zoom = firstZoom({ width, height })
  const within = zoom === 'fit' ? `76vh * ${(width / height).toFixed(4)}` : `${width}px`
  const srcSet = moving ? undefined : variants.map((each) => `${toPath(each.url)} ${each.width}w`).join(', ')
  return (
    <a
      href={toPath(url)}
      target="_blank"
      rel="noreferrer"
      aria-label={t('openLarge')}
      className="cursor-zoom-in [--stage:76dvh]"
      // Its place is kept before it has loaded.
      style={{ width: writeWidth({ width, height }, zoom) }}
    >
      <img
        key={tries}
        ref={element}
        src={src}
        {...(srcSet && variants.length > 1 && { srcSet, sizes: `min(100vw, ${within})` })}
        alt={title}
        width={width}
        height={height}
        fetchPriority="high"
        onError={() => setBroken(true)}
        className="h-auto w-full"
        // A smaller variant has rounded its sides.
        style={{
          aspectRatio: `${width} / ${height}`,
          ...(placeholder && { backgroundColor: placeholderColour(placeholder) }),
        }}
      />
    </a>
  )
}
