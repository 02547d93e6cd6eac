'use client'

import { lazy, Suspense } from 'react'
import { useUploads } from './uploads.tsx'

const UploadTray = lazy(() => import('./upload-tray.tsx').then((module) => ({ default: module.UploadTray })))

/** The uploads at the bottom of every page, loaded with the first one. */
export function Tray() {
  const uploads = useUploads()
  const empty = <p role="status" className="sr-only" />
  if (!uploads || uploads.queue.uploads.length === 0) return empty
  return (
    <Suspense fallback={empty}>
      <UploadTray uploads={uploads} />
    </Suspense>
  )
}
