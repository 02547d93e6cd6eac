'use client'

import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import type { ListPlace } from '../use-image-list.ts'
import { AT_ONCE } from './many.ts'
import { pagesFrom } from './rest-of-list.ts'

/** The longest wait for a limit per page. */
const patient = { limit: { waitUpToMs: 60_000 } }

/** Finds the images of a place that are not loaded yet, without adding them to its list. Runs one search at a time. */
export function useGathering(place: ListPlace) {
  const t = useTranslations('gallery')
  const client = useTRPCClient()
  const running = useRef<AbortController | null>(null)
  const [isGathering, setGathering] = useState(false)
  const stop = () => {
    running.current?.abort()
    running.current = null
    setGathering(false)
  }
  useEffect(() => () => running.current?.abort(), [])

  const gather = async (cursor: string, onPage: (items: readonly ImageItem[]) => void): Promise<void> => {
    stop()
    const own = new AbortController()
    running.current = own
    setGathering(true)
    const ask = (next: string) =>
      client.image.list.query({ ...place, limit: AT_ONCE, cursor: next }, { signal: own.signal, context: patient })
    try {
      for await (const items of pagesFrom(cursor, ask)) {
        if (own.signal.aborted) return
        onPage(items)
      }
    } catch (error) {
      if (own.signal.aborted) return
      reportFailure(t('selectAllFailed'), error)
    }
    stop()
  }
  return { isGathering, gather, stop }
}
