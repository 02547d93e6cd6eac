'use client'

import { createContext, type ReactNode, useContext } from 'react'
import type { Visibility } from '#app/connection/trpc.ts'
import type { Locale } from '#format/locale.ts'

/** The signed-in account as pages know it. */
export interface Account {
  readonly userId: string
  readonly username: string
  /** The name that others see; null if they see none. */
  readonly displayName: string | null
  /** The path of the picture; null without one. */
  readonly picture: string | null
  readonly role: 'user' | 'admin' | 'superadmin'
  readonly shared: boolean
  /** The language that the account has chosen; null for that of each browser. */
  readonly locale: Locale | null
}

/** What the site's settings say of the frame of every page. */
interface SiteFrame {
  readonly name: string
  /** Empty for none. */
  readonly tagline: string
  readonly footer: readonly { readonly label: string; readonly url: string }[]
  readonly logo: { readonly hash: string; readonly width: number; readonly height: number } | null
}

export interface Session {
  readonly account: Account | null
  readonly site: SiteFrame
  readonly gallery: boolean
  /** Whether guests may upload. */
  readonly guestUpload: boolean
  /** Whether the site sends mail. */
  readonly hasMail: boolean
  readonly maxUploadBytes: number
  readonly defaultVisibility: Visibility
}

const SessionContext = createContext<Session | null>(null)

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession outside of SessionProvider')
  return session
}

/** Returns the account on a page that only signed-in users reach. */
export function useAccount(): Account {
  const { account } = useSession()
  if (!account) throw new Error('useAccount on a page for guests')
  return account
}

export const isAdminAccount = (account: Account | null): boolean =>
  account?.role === 'admin' || account?.role === 'superadmin'

/** Whether an account keeps albums, tags and favourites: all but a shared admin account. */
export const mayFile = (account: Account | null): boolean =>
  account !== null && !(account.shared && isAdminAccount(account))
