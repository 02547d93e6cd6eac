'use client'

import { useTranslations } from 'use-intl/react'

/** Leads by keyboard past the header. */
export function SkipLink() {
  const t = useTranslations('shell')
  return (
    <a
      href="#content"
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-ink px-4 py-2 font-medium text-ground focus:translate-y-0"
    >
      {t('skip')}
    </a>
  )
}
