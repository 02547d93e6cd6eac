'use client'

import { lazy, Suspense, useEffect, useState } from 'react'
import { queue } from './toast-queue.ts'

const ToastArea = lazy(() => import('./toast-region.tsx').then((module) => ({ default: module.ToastArea })))

/** The area for toasts, loaded with the first one. */
export function Toasts() {
  const [isUsed, setUsed] = useState(false)
  useEffect(() => {
    if (queue.visibleToasts.length > 0) setUsed(true)
    return queue.subscribe(() => setUsed(true))
  }, [])
  return (
    isUsed && (
      <Suspense fallback={null}>
        <ToastArea />
      </Suspense>
    )
  )
}
