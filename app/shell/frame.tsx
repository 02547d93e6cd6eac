'use client'

import dynamic from 'next/dynamic'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { type Session, SessionProvider } from './session.tsx'

// Loaded apart, so that pages without it load neither the component library nor the tRPC client.
const FullFrame = dynamic(() => import('./full-frame.tsx').then((module) => module.FullFrame))

const bare = ['signin', 'signup', 'setup', 'password']

/** The frame of a page: none on sign-in pages. */
export function Frame({ session, children }: { session: Session; children: ReactNode }) {
  const isBare = bare.includes(usePathname().split('/')[1] ?? '')
  return <SessionProvider session={session}>{isBare ? children : <FullFrame>{children}</FullFrame>}</SessionProvider>
}
