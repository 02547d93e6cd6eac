'use client'

import { lazy, Suspense, useEffect, useState } from 'react'
import { hearRefusedCopies } from './copy.ts'

const CopyDialog = lazy(() => import('./copy-dialog.tsx'))

/** Shows text that the browser refused to copy, so that the user can. */
export function CopyByHand() {
  const [text, setText] = useState<string | null>(null)
  useEffect(() => hearRefusedCopies(setText), [])
  if (text === null) return null
  return (
    <Suspense>
      <CopyDialog text={text} onClose={() => setText(null)} />
    </Suspense>
  )
}
