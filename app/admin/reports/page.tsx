import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { ReportsPage } from '#app/shell/account-pages.tsx'
import { requireAdmin } from '#app/viewer.ts'

export const generateMetadata = titled('adminReports.title')

export default async function Page() {
  await requireAdmin('/admin/reports')
  return (
    <PageMessages areas={['admin', 'adminReports', 'reporting']}>
      <ReportsPage />
    </PageMessages>
  )
}
