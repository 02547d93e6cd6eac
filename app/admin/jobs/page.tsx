import type { Metadata } from 'next'
import { requireAdmin } from '#app/viewer.ts'
import { JobsPage } from './jobs-page.tsx'

export const metadata: Metadata = { title: 'Jobs' }

export default async function Page() {
  await requireAdmin('/admin/jobs')
  return <JobsPage />
}
