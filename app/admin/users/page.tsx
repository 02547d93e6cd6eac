import type { Metadata } from 'next'
import { UsersPage } from '#app/admin/users-page.tsx'
import { requireAdmin } from '#app/viewer.ts'

export const metadata: Metadata = { title: 'Users' }

export default async function Page() {
  await requireAdmin('/admin/users')
  return <UsersPage />
}
