'use client'

import { ImageOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { placeholderColour } from '#app/image/placeholder.ts'
import { useMade } from '#app/image/use-made.ts'
import { toPath } from '#app/shell/safe-path.ts'
import { Button } from '#app/ui/button.tsx'
import type { SharedImage } from '#server/sharing/shared-item.ts'

/** An image of a share at page size; a click opens it by itself. */
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
  const { shown, sizes } = placeOf(width, height)
  const srcSet = moving ? undefined : variants.map((each) => `${toPath(each.url)} ${each.width}w`).join(', ')
  return (
    <a
      href={toPath(url)}
      target="_blank"
      rel="noreferrer"
      aria-label={t('openLarge')}
      className="cursor-zoom-in"
      // Its place is kept before it has loaded.
      style={{ width: shown }}
    >
      <img
        key={tries}
        ref={element}
        src={src}
        {...(srcSet && variants.length > 1 && { srcSet, sizes })}
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

/** A picture is shown whole, unless it is so tall that it would be a strip, as a screenshot of a whole page is: that is scrolled. */
function placeOf(width: number, height: number): { readonly shown: string; readonly sizes: string } {
  if (height > 3 * width) return { shown: `min(100%, ${width}px, 48rem)`, sizes: 'min(100vw, 48rem)' }
  const ratio = (width / height).toFixed(4)
  return { shown: `min(100%, ${width}px, 76dvh * ${ratio})`, sizes: `min(100vw, 76vh * ${ratio})` }
}
