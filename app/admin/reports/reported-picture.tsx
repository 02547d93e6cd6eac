'use client'

import { ImageOff } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { toPath } from '#app/shell/safe-path.ts'
import type { ReportItem } from './use-reports.ts'

/** The image as the viewer may see it. It leads to its page. */
export function ReportedPicture({ image, title }: { image: ReportItem['image']; title: string }) {
  const t = useTranslations('adminReports')
  const { thumbnailUrl, slug, width, height } = image
  if (thumbnailUrl === null) {
    return (
      <span className="flex h-36 w-full shrink-0 flex-col items-center justify-center gap-2 rounded-md bg-sunken p-3 text-center text-sm text-ink-soft sm:w-48">
        <ImageOff size={20} aria-hidden="true" /> {t('unseen')}
      </span>
    )
  }
  const picture = (
    <img
      src={toPath(thumbnailUrl)}
      alt={title}
      width={width}
      height={height}
      loading="lazy"
      className="h-36 w-full bg-sunken rounded-md object-contain"
    />
  )
  if (slug === null) return <span className="w-full shrink-0 sm:w-48">{picture}</span>
  return (
    <a
      href={`/image/${slug}`}
      target="_blank"
      rel="noreferrer"
      aria-label={t('openImage')}
      className="w-full shrink-0 self-start rounded-md sm:w-48"
    >
      {picture}
    </a>
  )
}
