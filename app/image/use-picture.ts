'use client'

import { type SyntheticEvent, useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { Refusal } from '#app/limits/refusal.ts'
import { probePicture } from './probe-picture.ts'

/**
 * Loading of a picture. An image element does not tell why it failed: then its headers are asked for. Where a limit
 * refused it, it is loaded again by itself when the wait is over. `attempt` is the key of the element, which begins anew with it.
 */
export function usePicture() {
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<'loading' | 'shown' | 'broken' | 'refused'>('loading')
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const retry = () => {
    setAttempt(attempt + 1)
    setState('loading')
    setRefusal(null)
  }
  const onLoad = useCallback(() => setState('shown'), [])
  const onError = async ({ currentTarget: { currentSrc } }: SyntheticEvent<HTMLImageElement>) => {
    const held = await probePicture(currentSrc)
    setRefusal(held)
    setState(held ? 'refused' : 'broken')
  }
  const over = useEffectEvent(retry)
  useEffect(() => {
    if (!refusal) return
    // A whole gallery may wait for the same moment: its pictures come back within two seconds, not in one instant.
    const timer = setTimeout(over, Math.max(0, refusal.until - Date.now()) + Math.random() * 2000)
    return () => clearTimeout(timer)
  }, [refusal])
  return {
    state,
    attempt,
    refusal,
    retry,
    onLoad,
    onError: (event: SyntheticEvent<HTMLImageElement>) => void onError(event),
  }
}

export type PictureState = ReturnType<typeof usePicture>
