'use client'

import { useOffline } from 'next/offline'
import { useTranslations } from 'use-intl/react'

/** Shown while a navigation waits for a server that does not respond. */
export function OfflineNotice() {
  const t = useTranslations('shell')
  const isOffline = useOffline()
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-16 z-40 flex justify-center px-4">
      {isOffline && (
        <p className="animate-enter rounded-md border border-line bg-gate-soft px-4 py-2.5 text-sm shadow-raised">
          {t('offline')}
        </p>
      )}
    </div>
  )
}
