'use client'

import { useEffect, useState } from 'react'
import { late } from './late.tsx'
import { queue } from './toast-queue.ts'

const ToastArea = late(() => import('./toast-region.tsx'))

/** The area for toasts, loaded with the first one. */
export function Toasts() {
  const [isUsed, setUsed] = useState(false)
  useEffect(() => {
    if (queue.visibleToasts.length > 0) setUsed(true)
    return queue.subscribe(() => setUsed(true))
  }, [])
  return isUsed && <ToastArea />
}
