'use client'

import { useOffline } from 'next/offline'

/** Says that the server does not answer while a page that was asked for waits for it. */
export function OfflineNotice() {
  const isOffline = useOffline()
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-16 z-40 flex justify-center px-4">
      {isOffline && (
        <p className="animate-enter rounded-md border border-line bg-gate-soft px-4 py-2.5 text-sm shadow-raised">
          The server cannot be reached. What you open is shown as soon as it answers.
        </p>
      )}
    </div>
  )
}
