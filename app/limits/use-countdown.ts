'use client'

import { useEffect, useState } from 'react'
import { secondsLeft } from './wait.ts'

/** Returns the seconds until `until` (ms by this machine's clock), updated once a second; 0 without a wait. */
export function useCountdown(until: number | null): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (until === null) return
    setNow(Date.now())
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= until) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [until])
  return until === null ? 0 : secondsLeft(until, now)
}
