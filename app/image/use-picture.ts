'use client'

import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Refusal } from '#app/limits/refusal.ts'
import { probePicture } from './probe-picture.ts'
import { serverBack } from './server-back.ts'

// One that never comes, though the server answers, is not asked for without end.
const mostReturns = 5

/**
 * Loading of a picture. An image element does not tell why it failed: then its headers are asked for. Where a limit
 * refused it, or the server was away, it is loaded again by itself when that is over. `attempt` is the key of the element,
 * which begins anew with it.
 */
export function usePicture() {
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<'loading' | 'shown' | 'broken' | 'refused'>('loading')
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [isAway, setAway] = useState(false)
  const returns = useRef(0)
  const retry = () => {
    setAway(false)
    setAttempt(attempt + 1)
    setState('loading')
    setRefusal(null)
  }
  const onLoad = useCallback(() => {
    returns.current = 0
    setState('shown')
  }, [])
  const onError = useCallback(async (url: string) => {
    const cause = await probePicture(url)
    const held = cause === 'away' ? null : cause
    setRefusal(held)
    setState(held ? 'refused' : 'broken')
    setAway(cause === 'away' && returns.current < mostReturns)
  }, [])
  const over = useEffectEvent(retry)
  useEffect(() => {
    if (!refusal) return
    // A whole gallery may wait for the same moment: its pictures come back within two seconds, not in one instant.
    const timer = setTimeout(over, Math.max(0, refusal.until - Date.now()) + Math.random() * 2000)
    return () => clearTimeout(timer)
  }, [refusal])
  useEffect(() => {
    if (!isAway) return
    let isCurrent = true
    void serverBack().then(() => {
      if (!isCurrent) return
      returns.current += 1
      over()
    })
    return () => {
      isCurrent = false
    }
  }, [isAway])
  return { state, attempt, refusal, retry, onLoad, onError }
}

export type PictureState = ReturnType<typeof usePicture>
