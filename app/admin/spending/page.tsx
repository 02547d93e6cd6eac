import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { SpendingPage } from '#app/shell/account-pages.tsx'
import { requireSuperadmin } from '#app/viewer.ts'

export const generateMetadata = titled('adminSpending.title')

export default async function Page() {
  await requireSuperadmin('/admin/spending')
  return (
    <PageMessages areas={['admin', 'adminLimits', 'adminSpending', 'dayChart']}>
      <SpendingPage />
    </PageMessages>
  )
}
