import type { ReactNode } from 'react'
import { AdminNavigation } from './admin-navigation.tsx'
import { AdminMessages } from './messages.tsx'

/** Who may see a page behind it, the page decides. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <AdminMessages>
      <AdminNavigation />
      {children}
    </AdminMessages>
  )
}
