'use client'

import dynamic from 'next/dynamic'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { GuestFrame } from './guest-frame.tsx'
import { type Session, SessionProvider } from './session.tsx'

// Loaded apart, so that pages without it load neither the component library nor the tRPC client.
const FullFrame = dynamic(() => import('./full-frame.tsx').then((module) => module.FullFrame))

const bare = ['signin', 'signup', 'setup', 'password']
const light = ['image']

/** The frame of a page: none on sign-in pages, a light one on guests' pages. */
export function Frame({ session, children }: { session: Session; children: ReactNode }) {
  const area = usePathname().split('/')[1] ?? ''
  const isLight = session.account === null && light.includes(area)
  const Around = isLight ? GuestFrame : FullFrame
  return (
    <SessionProvider session={session}>{bare.includes(area) ? children : <Around>{children}</Around>}</SessionProvider>
  )
}
