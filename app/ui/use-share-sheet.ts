'use client'

import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Returns a function that opens the device's share sheet; null where there is none. `onFail` is not called if the user closes it. */
export function useShareSheet(onFail: () => void): ((data: ShareData) => Promise<void>) | null {
  const canShare = useSyncExternalStore(
    never,
    () => 'share' in navigator,
    () => false,
  )
  if (!canShare) return null
  return async (data) => {
    try {
      await navigator.share(data)
    } catch (error) {
      const isCancelled = error instanceof DOMException && error.name === 'AbortError'
      if (!isCancelled) onFail()
    }
  }
}
