import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { LimitsPage } from '#app/shell/account-pages.tsx'
import { requireAdmin } from '#app/viewer.ts'

export const generateMetadata = titled('adminLimits.title')

export default async function Page() {
  await requireAdmin('/admin/limits')
  return (
    <PageMessages
      areas={['admin', 'adminAdded', 'adminBlocks', 'adminExplain', 'adminLimits', 'adminOverrides', 'errors']}
    >
      <LimitsPage />
    </PageMessages>
  )
}
