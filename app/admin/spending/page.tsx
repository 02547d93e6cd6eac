import type { Metadata } from 'next'
import { requireSuperadmin } from '#app/viewer.ts'
import { translate } from '#messages/translate.ts'
import { SpendingPage } from './spending-page.tsx'

export const metadata: Metadata = { title: translate('adminSpending.title') }

export default async function Page() {
  await requireSuperadmin('/admin/spending')
  return <SpendingPage />
}
