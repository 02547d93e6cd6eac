import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { JobsPage } from '#app/shell/account-pages.tsx'
import { requireAdmin } from '#app/viewer.ts'

export const generateMetadata = titled('adminJobs.title')

export default async function Page() {
  await requireAdmin('/admin/jobs')
  return (
    <PageMessages areas={['adminJobs', 'errors']}>
      <JobsPage />
    </PageMessages>
  )
}
