'use client'

import dynamic from 'next/dynamic'
import { useState } from 'react'
import { findRefusal } from './refusal.ts'

const RefusalNotice = dynamic(() => import('./refusal-notice.tsx').then((module) => module.RefusalNotice))

/** The longest pause after the wait (ms), so that a guest's tabs do not all reload at once. */
const SPREAD_MS = 1000

/** A page that a limit refused on the server: counts down, and loads it again. */
export function RefusedPage({ limit }: { limit: object | null }) {
  const [refusal] = useState(() => findRefusal({ limit }))
  const reload = () => setTimeout(() => window.location.reload(), Math.random() * SPREAD_MS)
  return (
    refusal && (
      <RefusalNotice
        refusal={refusal}
        resumes
        isPage
        onOver={reload}
        className="mx-auto my-6 w-[min(28rem,calc(100%-2rem))]"
      />
    )
  )
}
