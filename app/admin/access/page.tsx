import type { Metadata } from 'next'
import { requireSuperadmin } from '#app/viewer.ts'
import { translate } from '#messages/translate.ts'
import { AccessPage } from './access-page.tsx'

export const metadata: Metadata = { title: translate('adminAccess.title') }

export default async function Page() {
  await requireSuperadmin('/admin/access')
  return <AccessPage />
}
