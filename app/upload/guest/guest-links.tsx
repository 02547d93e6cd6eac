'use client'

import { useTranslations } from 'use-intl/react'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { LocalDate } from '#app/ui/moment.tsx'

interface Props {
  /** Addresses of the image's page, and of the page that deletes it. */
  readonly page: string
  readonly deletion: string
  readonly endsAt: string
  readonly awaits: boolean
}

/** The links of a guest's image, which are shown nowhere else. */
export function GuestLinks({ page, deletion, endsAt, awaits }: Props) {
  const t = useTranslations('guestUpload')
  return (
    <div className="flex flex-col gap-3 text-sm">
      {awaits && <p>{t('awaits')}</p>}
      <LinkLine label={t('link')} href={page} />
      <LinkLine label={t('deletion')} href={deletion} />
      <p className="text-ink-soft">{t.rich('until', { date: () => <LocalDate iso={endsAt} time /> })}</p>
    </div>
  )
}

function LinkLine({ label, href }: { label: string; href: string }) {
  const t = useTranslations('guestUpload')
  return (
    <div className="flex items-center gap-2">
      <div className="min-w-0 flex-1">
        <p className="text-ink-soft">{label}</p>
        <a href={href} className="block truncate text-water underline underline-offset-4">
          {href}
        </a>
      </div>
      <CopyButton text={href} label={t('copy', { label })} />
    </div>
  )
}
