import type { Metadata } from 'next'
import { requireAdmin } from '#app/viewer.ts'
import { translate } from '#messages/translate.ts'
import { JobsPage } from './jobs-page.tsx'

export const metadata: Metadata = { title: translate('adminJobs.title') }

export default async function Page() {
  await requireAdmin('/admin/jobs')
  return <JobsPage />
}
