'use client'

import { useEffect, useEffectEvent } from 'react'

/** All tabs of a browser have one session. One that shows another account than was last signed in is loaded anew: what is
 *  done there would be done in the other's name. */
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

/** Calls `onSeen` when another tab shows that this account is signed in. */
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
