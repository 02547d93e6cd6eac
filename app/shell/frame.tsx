'use client'

import dynamic from 'next/dynamic'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { GuestFrame } from './guest-frame.tsx'
import { type Session, SessionProvider } from './session.tsx'

// Loaded apart, so that guests load neither the component library nor the tRPC client. The frame of guests is not: as a second
// part it would repeat what it shares with this one and with pages.
const FullFrame = dynamic(() => import('./full-frame.tsx').then((module) => module.FullFrame))

const bare = ['signin', 'signup', 'setup', 'password', 'email']

/** The frame of a page: none on sign-in pages, otherwise that of the viewer's pages or that of guests'. */
export function Frame({ session, children }: { session: Session; children: ReactNode }) {
  const isBare = bare.includes(usePathname().split('/')[1] ?? '')
  const Around = session.account ? FullFrame : GuestFrame
  return <SessionProvider session={session}>{isBare ? children : <Around>{children}</Around>}</SessionProvider>
}
