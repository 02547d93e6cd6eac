'use client'

import { ArrowLeft, ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { MotionToggle } from '#app/gallery/motion-toggle.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { useReducedMotion } from '#app/ui/use-reduced-motion.ts'
import { Picture } from './picture.tsx'
import { useSwipe } from './use-swipe.ts'

interface Props {
  image: ImageItem
  onLeave: (() => void) | undefined
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** The image as large as the window allows; a click opens the original. `--stage` is its maximum height. The buttons, and the focus, stay when another image is shown. */
export function Stage({ image, onLeave, onPrevious, onNext }: Props) {
  const t = useTranslations('image')
  const prefersStill = useReducedMotion()
  const [chosen, setChosen] = useState<{ readonly id: string; readonly isOn: boolean } | null>(null)
  const isPlaying = chosen?.id === image.id ? chosen.isOn : !prefersStill
  const swipe = useSwipe({ previous: onPrevious, next: onNext })
  return (
    <section
      {...swipe}
      aria-label={t('stage')}
      className="relative flex touch-pan-y touch-pinch-zoom min-h-64 items-center justify-center overflow-hidden bg-sunken [--stage:68dvh] lg:sticky lg:top-14 lg:h-[calc(100dvh-3.5rem)] lg:p-6 lg:[--stage:calc(100dvh-6.5rem)]"
    >
      {image.url ? (
        <Picture key={image.id} url={image.url} image={image} isPlaying={isPlaying} />
      ) : (
        <p className="p-10 text-ink-soft">{t('isPrivate')}</p>
      )}
      {onLeave && (
        <Corner label={t('back')} onPress={onLeave} className="top-3 left-3">
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
    </section>
  )
}

function Corner(props: { label: string; onPress: () => void; className: string; children: ReactNode }) {
  return (
    <IconButton
      tone="bare"
      label={props.label}
      onPress={props.onPress}
      className={`absolute grid size-10 place-items-center rounded-full bg-black/45 text-white transition-colors hover:bg-black/70 ${props.className}`}
    >
      {props.children}
    </IconButton>
  )
}
