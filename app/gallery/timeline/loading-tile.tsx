import { useTranslations } from 'use-intl/react'
import type { Box } from './justify.ts'

interface Props {
  index: number
  isActive: boolean
  box: Box
  position: number
  amount: number
}

/** A shaded box in the shape of an image that is not loaded yet. */
export function LoadingTile({ index, isActive, box, position, amount }: Props) {
  const t = useTranslations('gallery')
  return (
    <li
      aria-label={t('loading')}
      aria-posinset={position}
      aria-setsize={amount}
      data-tile={index}
      data-loading=""
      // The arrow keys move through images that are not loaded.
      tabIndex={isActive ? 0 : -1}
      className="absolute rounded-[3px] bg-line/60 focus-visible:-outline-offset-3"
      style={box}
    />
  )
}
