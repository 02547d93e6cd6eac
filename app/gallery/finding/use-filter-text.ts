'use client'

import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'
import type { Query } from './finding.ts'

const MiB = 1024 ** 2

/** A day of an address, with its year. */
const day = { time: false, timeZone: 'UTC' } as const

/** Returns a function that says one filter of a query in words; '' for those with a name of their own. */
export function useFilterText() {
  const t = useTranslations('finding')
  const tImage = useTranslations('image')
  const format = useFormat()
  const bounds = { small: format.bytes(MiB), large: format.bytes(10 * MiB) }
  return (query: Query): string => {
    const { type, size, shape, visibility, animated, favourite, tag, from, to } = query
    if (type) return { jpeg: 'JPEG', png: 'PNG', gif: 'GIF', webp: 'WebP', avif: 'AVIF' }[type]
    if (size) return t(`sizes.${size}`, bounds)
    if (shape) return t(`shapes.${shape}`)
    if (visibility) return tImage(`visibilityName.${visibility}`)
    if (animated !== undefined) return animated ? t('moving') : t('still')
    if (favourite !== undefined) return favourite ? t('favourites') : t('noFavourites')
    if (tag !== undefined) return t('tagged', { tag })
    if (from) return t('fromDay', { day: format.date(from, day) })
    if (to) return t('untilDay', { day: format.date(to, day) })
    return ''
  }
}
