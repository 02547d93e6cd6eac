'use client'

import { useTranslations } from 'use-intl/react'
import { LocalDate } from '#app/ui/moment.tsx'

/** Says of figures that they are the last known ones, because the viewer has used up the limit for new ones. */
export function AsOf({ iso }: { iso: string | undefined }) {
  const t = useTranslations('failures')
  if (iso === undefined) return null
  return (
    <p role="note" className="text-sm text-ink-soft">
      {t.rich('asOf', { time: () => <LocalDate iso={iso} time /> })}
    </p>
  )
}
