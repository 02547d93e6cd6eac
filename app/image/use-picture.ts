'use client'

import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RefusedCall } from '#app/limits/refusal.ts'
import { probePicture } from './probe-picture.ts'
import { serverBack } from './server-back.ts'

// An image that fails although the server answers is not retried forever.
const mostRetries = 5

/**
 * Loads an image. An image element does not report why it failed, so its headers are requested then. If a limit refused it or
 * the server was unavailable, it is retried after the wait. `attempt` is the key of the element, which is re-created with it.
 */
export function usePicture() {
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<'loading' | 'shown' | 'broken' | 'refused'>('loading')
  const [refusal, setRefusal] = useState<RefusedCall | null>(null)
  const [isUnavailable, setUnavailable] = useState(false)
  const retries = useRef(0)
  const retry = () => {
    setUnavailable(false)
    setAttempt(attempt + 1)
    setState('loading')
    setRefusal(null)
  }
  const onLoad = useCallback(() => {
    retries.current = 0
    setState('shown')
  }, [])
  const onError = useCallback(async (url: string) => {
    const cause = await probePicture(url)
    const refused = cause === 'unavailable' ? null : cause
    setRefusal(refused)
    setState(refused ? 'refused' : 'broken')
    setUnavailable(cause === 'unavailable' && retries.current < mostRetries)
  }, [])
  const over = useEffectEvent(retry)
  useEffect(() => {
    if (!refusal) return
    // A whole gallery may wait for the same limit: its images load within two seconds instead of all at once.
    const timer = setTimeout(over, Math.max(0, refusal.until - Date.now()) + Math.random() * 2000)
    return () => clearTimeout(timer)
  }, [refusal])
  useEffect(() => {
    if (!isUnavailable) return
    let isCurrent = true
    void serverBack().then(() => {
      if (!isCurrent) return
      retries.current += 1
      over()
    })
    return () => {
      isCurrent = false
    }
  }, [isUnavailable])
  return { state, attempt, refusal, retry, onLoad, onError }
}

export type PictureState = ReturnType<typeof usePicture>
