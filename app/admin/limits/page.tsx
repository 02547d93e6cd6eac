import type { Metadata } from 'next'
import { requireAdmin } from '#app/viewer.ts'
import { translate } from '#messages/translate.ts'
import { LimitsPage } from './limits-page.tsx'

export const metadata: Metadata = { title: translate('adminLimits.title') }

export default async function Page() {
  await requireAdmin('/admin/limits')
  return <LimitsPage />
}
