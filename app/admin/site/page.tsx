import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { SitePage } from '#app/shell/account-pages.tsx'
import { requireAdmin } from '#app/viewer.ts'

export const generateMetadata = titled('adminSite.title')

export default async function Page() {
  await requireAdmin('/admin/site')
  return (
    <PageMessages areas={['admin', 'adminSite']}>
      <SitePage />
    </PageMessages>
  )
}
