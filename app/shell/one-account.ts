'use client'

import { useEffect, useEffectEvent } from 'react'

/**
 * Keeps all tabs of a browser on one account, because they share a session. A tab that shows another account reloads
 * when someone signs in, because its actions would run as the new account.
 */
export function useOneAccount(userId: string | null): void {
  useEffect(() => {
    if (userId === null) return
    const tabs = new BroadcastChannel('account')
    tabs.onmessage = ({ data }) => {
      if (data !== userId) window.location.reload()
    }
    tabs.postMessage(userId)
    return () => tabs.close()
  }, [userId])
}

/** Calls `onSeen` when another tab reports that this account is signed in. */
export function useAccountElsewhere(userId: string, onSeen: () => void): void {
  const seen = useEffectEvent(onSeen)
  useEffect(() => {
    const tabs = new BroadcastChannel('account')
    tabs.onmessage = ({ data }) => {
      if (data === userId) seen()
    }
    return () => tabs.close()
  }, [userId])
}
