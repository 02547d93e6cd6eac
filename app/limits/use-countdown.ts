'use client'

import { useEffect, useState } from 'react'
import { secondsLeft } from './wait.ts'

/** Seconds until `until` (ms of this machine's clock), counted down once a second; 0 when there is nothing to wait for. */
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
