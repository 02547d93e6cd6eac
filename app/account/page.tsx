import type { Metadata } from 'next'
import { AccountPage } from '#app/account/account-page.tsx'
import { requireViewer } from '#app/viewer.ts'

export const metadata: Metadata = { title: 'My account' }

export default async function Page() {
  await requireViewer('/account')
  return <AccountPage />
}
