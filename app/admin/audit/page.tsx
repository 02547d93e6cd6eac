import { Suspense } from 'react'
import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { AuditPage } from '#app/shell/account-pages.tsx'
import { requirePersonalAdmin } from '#app/viewer.ts'

export const generateMetadata = titled('audit.title')

export default async function Page() {
  await requirePersonalAdmin('/admin/audit')
  return (
    <PageMessages areas={['account', 'audit']}>
      <Suspense>
        <AuditPage />
      </Suspense>
    </PageMessages>
  )
}
