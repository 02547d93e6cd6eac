'use client'

import { useState } from 'react'
import type { Refusal } from '#app/limits/refusal.ts'
import { refusalOfHeaders } from '#app/limits/refusal-of-headers.ts'

/** Loading of a picture. An image element does not tell why it failed: then its headers are asked for, to wait as long as a limit says. */
export function usePicture(url: string | null) {
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<'loading' | 'shown' | 'broken' | 'refused'>('loading')
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const onError = async () => {
    const answer = url ? await fetch(url, { method: 'HEAD', cache: 'no-store' }).catch(() => null) : null
    const held = answer?.status === 429 ? refusalOfHeaders(answer.headers) : null
    setRefusal(held)
    setState(held ? 'refused' : 'broken')
  }
  const retry = () => {
    setAttempt(attempt + 1)
    setState('loading')
  }
  // A failed address is not asked for again by the browser; one that differs is.
  const src = url && attempt > 0 ? `${url}#${attempt}` : url
  return { state, src, refusal, onLoad: () => setState('shown'), onError, retry }
}
