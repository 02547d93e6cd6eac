'use client'

import { useEffect, useState } from 'react'
import { hearRefusedCopies } from './copy.ts'
import { late } from './late.tsx'

const CopyDialog = late(() => import('./copy-dialog.tsx'))

/** Shows text that the browser refused to copy, so that the user can. */
export function CopyByHand() {
  const [text, setText] = useState<string | null>(null)
  useEffect(() => hearRefusedCopies(setText), [])
  if (text === null) return null
  return <CopyDialog text={text} onClose={() => setText(null)} />
}
