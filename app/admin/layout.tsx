import type { ReactNode } from 'react'
import { AdminNavigation } from './admin-navigation.tsx'

/** Each page decides who may see it. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      <AdminNavigation />
      {children}
    </>
  )
}
