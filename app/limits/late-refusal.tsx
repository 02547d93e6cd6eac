'use client'

import { lazy, Suspense } from 'react'
import type { RefusalNoticeProps } from './refusal-notice.tsx'

const RefusalNotice = lazy(() => import('./refusal-notice.tsx').then((module) => ({ default: module.RefusalNotice })))

/** A RefusalNotice, loaded when a call is first refused. */
export function LateRefusal(props: RefusalNoticeProps) {
  return (
    <Suspense fallback={null}>
      <RefusalNotice {...props} />
    </Suspense>
  )
}
