'use client'

import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { useAlbumCache } from '#app/albums/use-albums.ts'
import { useListCache } from '#app/gallery/use-image-list.ts'
import { useSession } from '#app/shell/session.tsx'
import { type DroppedFolder, nameFolder } from './dropped-folder.ts'
import type { UploadQueue } from './upload-queue.ts'
import { summarise } from './upload-summary.ts'
import { readUploadTarget } from './upload-target.ts'
import { useRoomRefresh } from './use-room.ts'
import { type UploadActions, useUploadQueue } from './use-upload-queue.ts'

export interface Uploads {
  readonly queue: UploadQueue
  readonly actions: UploadActions
  /** Adds files to the queue. For those of a folder, by its name, an album is proposed unless the page of one is open. */
  take(files: readonly File[], folder: string | null): Promise<void>
  /** The folder for which an album is proposed. */
  readonly folder: DroppedFolder | null
  dismissFolder(): void
}

const UploadsContext = createContext<Uploads | null>(null)

/** Keeps uploads running across page changes, and adds uploaded images to the lists. */
export function UploadsProvider({ children }: { children: ReactNode }) {
  const { maxUploadBytes, account } = useSession()
  const shared = account?.shared ?? true
  const [folder, setFolder] = useState<DroppedFolder | null>(null)
  const arrived = useArrivals()
  const uploads = useUploadQueue({ maxBytes: maxUploadBytes, onUploaded: ({ id }, album) => arrived(id, album) })
  const { open, paused } = summarise(uploads.queue)
  const isOpen = open + paused > 0
  useEffect(() => {
    if (!isOpen) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isOpen])
  const take = async (files: readonly File[], name: string | null) => {
    if (files.length === 0) return
    if (name !== null && !shared && !readUploadTarget()) setFolder({ name: nameFolder(name), files: new Set(files) })
    await uploads.actions.add(files)
  }
  const value = { ...uploads, take, folder, dismissFolder: () => setFolder(null) }
  return <UploadsContext value={value}>{children}</UploadsContext>
}

/** Returns the uploads; null for guests. */
export function useUploads(): Uploads | null {
  return useContext(UploadsContext)
}

/** Collects images uploaded within a short time, so that twenty uploads do not reload the list twenty times. */
function useArrivals(): (id: string, album: string | null) => void {
  const cache = useListCache()
  const refreshRoom = useRoomRefresh()
  const { expire: expireAlbum } = useAlbumCache()
  const pending = useRef<{ ids: string[]; albums: Set<string>; timer: ReturnType<typeof setTimeout> | null }>({
    ids: [],
    albums: new Set(),
    timer: null,
  })
  return (id, album) => {
    const batch = pending.current
    if (album !== null) batch.albums.add(album)
    batch.ids.push(id)
    batch.timer ??= setTimeout(() => {
      const ids = batch.ids.splice(0)
      batch.timer = null
      // If this fails, the list is reloaded when it is next opened. Uploading an image that is in the trash restores
      // it.
      void cache.expire(true)
      for (const each of batch.albums) void expireAlbum(each)
      batch.albums.clear()
      void refreshRoom()
      cache.fetchUploaded(ids).catch(() => cache.expire(false))
    }, 1200)
  }
}
