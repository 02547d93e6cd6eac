'use client'

import { useEffect, useSyncExternalStore } from 'react'

/** The album that files are uploaded into while its page is open. */
export interface UploadTarget {
  readonly id: string
  readonly title: string
}

let target: UploadTarget | null = null
const listeners = new Set<() => void>()

function setTarget(next: UploadTarget | null): void {
  target = next
  for (const listener of listeners) listener()
}

export const readUploadTarget = (): UploadTarget | null => target

/** Uploads what is added from now on into an album, while the component is shown. Null for none. */
export function useUploadTarget(album: UploadTarget | null): void {
  const { id = null, title = '' } = album ?? {}
  useEffect(() => {
    if (id === null) return
    setTarget({ id, title })
    return () => setTarget(null)
  }, [id, title])
}

/** Returns the album that files dropped now would be uploaded into. */
export const useShownTarget = (): UploadTarget | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    readUploadTarget,
    () => null,
  )
