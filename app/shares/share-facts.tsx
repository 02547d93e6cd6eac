import { useTranslations } from 'use-intl/react'
import { LocalDate } from '#app/ui/moment.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import type { ShareItem } from './draft.ts'

/** What a share shows and allows, in a line. */
export function ShareFacts({ share }: { share: ShareItem }) {
  const t = useTranslations('sharing')
  const format = useFormat()
  const { title, album, count, hasPassword, originals, expiresAt, maxViews, views, limits } = share
  const bytes = limits.bytesPerDay
  return (
    <ul className="flex flex-wrap gap-x-1.5 text-ink-soft [&>li:not(:last-child)]:after:ml-1.5 [&>li:not(:last-child)]:after:content-['·']">
      {title && album && <li dir="auto">{t('album', { title: album.title })}</li>}
      {(title || album) && <li className="figures">{t('images', { count })}</li>}
      {hasPassword && <li>{t('hasPassword')}</li>}
      {originals && <li>{t('hasOriginals')}</li>}
      {expiresAt && <li>{t.rich('expires', { date: () => <LocalDate iso={expiresAt} time /> })}</li>}
      {maxViews !== null && <li className="figures">{t('viewed', { views, count: maxViews })}</li>}
      {limits.requestsPerHour !== null && (
        <li className="figures">{format.rule({ limit: limits.requestsPerHour, window: '1h' })}</li>
      )}
      {limits.requestsPerDay !== null && (
        <li className="figures">{format.rule({ limit: limits.requestsPerDay, window: '1d' })}</li>
      )}
      {bytes !== null && <li className="figures">{format.rule({ limit: bytes, unit: 'bytes', window: '1d' })}</li>}
    </ul>
  )
}
