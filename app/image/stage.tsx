'use client'

import { ArrowLeft, ChevronLeft, ChevronRight, ScanSearch } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { MotionToggle } from '#app/gallery/motion-toggle.tsx'
import { isTaken } from '#app/shell/key-command.ts'
import { IconButton } from '#app/ui/icon-button.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { useReducedMotion } from '#app/ui/use-reduced-motion.ts'
import { Picture } from './picture.tsx'
import { isSharperAsOriginal } from './renditions.ts'
import { useSwipe } from './use-swipe.ts'
import { useFullScreen } from './zoom/use-full-screen.ts'
import { useZoom } from './zoom/use-zoom.ts'
import { ZoomBar } from './zoom/zoom-bar.tsx'

interface Props {
  image: ImageItem
  /** Leads back; as an address, without script too. */
  back: (() => void) | string | undefined
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

const place =
  'relative min-h-64 [--stage:68dvh] lg:sticky lg:top-14 lg:h-[calc(100dvh-3.5rem)] lg:[--stage:calc(100dvh-6.5rem)]'
const whole = 'fixed inset-0 z-40 h-dvh [--stage:100dvh]'

/** The image, whole at first or by its width if it is long, zoomed and moved by wheel, fingers and keys. `--stage` is the maximum
 *  height. The buttons, and the focus, stay when another image is shown. */
export function Stage({ image, back, onPrevious, onNext }: Props) {
  const t = useTranslations('image')
  const format = useFormat()
  const prefersStill = useReducedMotion()
  const [chosen, setChosen] = useState<{ readonly id: string; readonly isOn: boolean } | null>(null)
  const isPlaying = chosen?.id === image.id ? chosen.isOn : !prefersStill
  const { zoom, viewport, wake, step, set } = useZoom(image)
  const isZoomed = typeof zoom === 'number'
  const [original, setOriginal] = useState<string | null>(null)
  const offersOriginal = isZoomed && original !== image.id && isSharperAsOriginal(image, image.width * zoom)
  const full = useFullScreen()
  const swipe = useSwipe(isZoomed ? {} : { previous: onPrevious, next: onNext })

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTaken(event.target)) return
    if (event.key !== 's' && !(event.key === 'Escape' && full.isFull)) return
    event.preventDefault()
    full.toggle()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])

  const scrolls = zoom === 'fit' ? (full.isFull ? '' : 'lg:p-6') : 'h-(--stage) overflow-auto'
  return (
    <section
      {...swipe}
      onPointerEnter={wake}
      onFocus={wake}
      aria-label={t('stage')}
      className={`overflow-hidden bg-sunken ${full.isFull ? whole : place}`}
    >
      <div
        ref={viewport}
        className={`flex min-h-64 w-full overscroll-auto ${scrolls} ${full.isFull ? 'h-full' : 'lg:h-full'} ${isZoomed ? 'touch-pan-x touch-pan-y' : 'touch-pan-y'}`}
      >
        {image.url ? (
          <Picture
            key={image.id}
            url={image.url}
            image={image}
            isPlaying={isPlaying}
            zoom={zoom}
            isOriginal={original === image.id}
          />
        ) : (
          <p className="m-auto p-10 text-ink-soft">{t('isPrivate')}</p>
        )}
      </div>
      {typeof back === 'string' && (
        <a href={back} aria-label={t('back')} className={`top-3 left-3 ${round}`}>
          <ArrowLeft size={20} />
        </a>
      )}
      {typeof back === 'function' && (
        <Corner label={t('back')} onPress={back} className="top-3 left-3">
          <ArrowLeft size={20} />
        </Corner>
      )}
      {image.url && image.frames > 1 && (
        <MotionToggle
          image={image}
          name={t('animation')}
          isPlaying={isPlaying}
          onToggle={() => setChosen({ id: image.id, isOn: !isPlaying })}
          className="absolute bottom-3 left-3 h-8 px-3 text-xs"
        />
      )}
      {onPrevious && (
        <Corner label={t('previous')} onPress={onPrevious} className="top-1/2 left-3 -translate-y-1/2">
          <ChevronLeft size={22} />
        </Corner>
      )}
      {onNext && (
        <Corner label={t('next')} onPress={onNext} className="top-1/2 right-3 -translate-y-1/2">
          <ChevronRight size={22} />
        </Corner>
      )}
      {offersOriginal && (
        <button
          type="button"
          onClick={() => setOriginal(image.id)}
          className="absolute top-3 right-3 flex h-10 items-center gap-2 rounded-full bg-black/60 px-4 text-sm text-white hover:bg-black/80"
        >
          <ScanSearch size={17} /> {t('showOriginal', { size: format.bytes(image.size) })}
        </button>
      )}
      {image.url && <ZoomBar zoom={zoom} isFull={full.isFull} onStep={step} onSet={set} onFull={full.toggle} />}
    </section>
  )
}

const round =
  'absolute grid size-10 place-items-center rounded-full bg-black/45 text-white transition-colors hover:bg-black/70'

function Corner({
  className,
  ...props
}: {
  label: string
  onPress: () => void
  className: string
  children: ReactNode
}) {
  return <IconButton {...props} tone="bare" className={`${round} ${className}`} />
}
