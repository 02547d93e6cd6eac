'use client'

import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { useListCache } from '#app/gallery/use-image-list.ts'
import { useSession } from '#app/shell/session.tsx'
import type { UploadQueue } from './upload-queue.ts'
import { summarise } from './upload-summary.ts'
import { useRoomRefresh } from './use-room.ts'
import { type UploadActions, useUploadQueue } from './use-upload-queue.ts'

export interface Uploads {
  readonly queue: UploadQueue
  readonly actions: UploadActions
}

const UploadsContext = createContext<Uploads | null>(null)

/** Keeps uploads running across page changes, and adds uploaded images to the lists. */
export function UploadsProvider({ children }: { children: ReactNode }) {
  const { maxUploadBytes } = useSession()
  const arrived = useArrivals()
  const uploads = useUploadQueue({ maxBytes: maxUploadBytes, onUploaded: ({ id }) => arrived(id) })
  const isOpen = summarise(uploads.queue).open > 0
  useEffect(() => {
    if (!isOpen) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isOpen])
  return <UploadsContext value={uploads}>{children}</UploadsContext>
}

/** Returns the uploads; null for guests. */
export function useUploads(): Uploads | null {
  return useContext(UploadsContext)
}

/** Collects images uploaded within a short time, so that twenty uploads do not reload the list twenty times. */
function useArrivals(): (id: string) => void {
  const cache = useListCache()
  const refreshRoom = useRoomRefresh()
  const pending = useRef<{ ids: string[]; timer: ReturnType<typeof setTimeout> | null }>({ ids: [], timer: null })
  return (id) => {
    const batch = pending.current
    batch.ids.push(id)
    batch.timer ??= setTimeout(() => {
      const ids = batch.ids.splice(0)
      batch.timer = null
      // If this fails, the list is reloaded when it is next opened. Uploading an image that is in the trash restores
      // it.
      void cache.expire(true)
      void refreshRoom()
      cache.fetchUploaded(ids).catch(() => cache.expire(false))
    }, 1200)
  }
}
