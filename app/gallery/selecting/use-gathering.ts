'use client'

import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'

/** Requests images part by part. */
export type Finder = (signal: AbortSignal) => AsyncIterable<readonly ImageItem[]>

/** Finds images that are not loaded, without adding them to a list. Runs one search at a time. */
export function useGathering() {
  const t = useTranslations('gallery')
  const running = useRef<AbortController | null>(null)
  const [isGathering, setGathering] = useState(false)
  const stop = () => {
    running.current?.abort()
    running.current = null
    setGathering(false)
  }
  useEffect(() => () => running.current?.abort(), [])

  const gather = async (find: Finder, onPart: (items: readonly ImageItem[]) => void): Promise<void> => {
    stop()
    const own = new AbortController()
    running.current = own
    setGathering(true)
    try {
      for await (const items of find(own.signal)) {
        if (own.signal.aborted) return
        onPart(items)
      }
    } catch (error) {
      if (own.signal.aborted) return
      reportFailure(t('selectAllFailed'), error)
    }
    stop()
  }
  return { isGathering, gather, stop }
}
