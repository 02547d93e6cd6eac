import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { requireSuperadmin } from '#app/viewer.ts'
import { SpendingPage } from './spending-page.tsx'

export const generateMetadata = titled('adminSpending.title')

export default async function Page() {
  await requireSuperadmin('/admin/spending')
  return (
    <PageMessages areas={['admin', 'adminLimits', 'adminSpending', 'dayChart']}>
      <SpendingPage />
    </PageMessages>
  )
}
