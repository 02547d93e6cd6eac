'use client'

import { Pause, Play } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'

interface Props {
  image: Pick<ImageItem, 'mime'>
  name: string
  isPlaying: boolean
  tabIndex?: number
  onToggle: () => void
  className?: string
}

/** Marks an image as an animation and plays or pauses it. */
export function MotionToggle({ image, name, isPlaying, tabIndex, onToggle, className = '' }: Props) {
  const t = useTranslations('gallery')
  const Icon = isPlaying ? Pause : Play
  const kind = image.mime === 'image/gif' ? t('gif') : t('animated')
  return (
    <button
      type="button"
      aria-label={t(isPlaying ? 'pause' : 'play', { name, kind })}
      tabIndex={tabIndex}
      onClick={onToggle}
      className={`flex h-6 items-center gap-1 rounded-sm bg-black/60 px-1.5 text-[0.6875rem] font-semibold text-white hover:bg-black/80 ${className}`}
    >
      <Icon size={11} fill="currentColor" strokeWidth={0} />
      {kind}
    </button>
  )
}
