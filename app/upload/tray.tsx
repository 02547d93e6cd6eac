'use client'

import { late } from '#app/ui/late.tsx'
import { useUploads } from './uploads.tsx'

const UploadTray = late(() => import('./upload-tray.tsx'))

/** The uploads at the bottom of every page, loaded with the first one. */
export function Tray() {
  const uploads = useUploads()
  const empty = <p role="status" className="sr-only" />
  if (!uploads || uploads.queue.uploads.length === 0) return empty
  return <UploadTray standIn={empty} uploads={uploads} />
}
