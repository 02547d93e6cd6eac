'use client'

import { useCallback, useSyncExternalStore } from 'react'
import { secondsLeft } from './wait.ts'

/** Returns the seconds until `until` (ms by this machine's clock); 0 without a wait. Renders again when the number changes. */
export function useCountdown(until: number | null): number {
  const subscribe = useCallback(
    (onChange: () => void) => {
      if (until === null) return () => {}
      const timer = setInterval(() => {
        onChange()
        if (Date.now() >= until) clearInterval(timer)
      }, 250)
      return () => clearInterval(timer)
    },
    [until],
  )
  const read = () => (until === null ? 0 : secondsLeft(until, Date.now()))
  return useSyncExternalStore(subscribe, read, read)
}
