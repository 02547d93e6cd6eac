import type { Metadata } from 'next'
import { requireAdmin } from '#app/viewer.ts'
import { translate } from '#messages/translate.ts'
import { UsersPage } from './users-page.tsx'

export const metadata: Metadata = { title: translate('adminUsers.title') }

export default async function Page() {
  await requireAdmin('/admin/users')
  return <UsersPage />
}
