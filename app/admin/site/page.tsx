import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { SitePage } from '#app/shell/account-pages.tsx'
import { requirePersonalAdmin } from '#app/viewer.ts'

export const generateMetadata = titled('adminSite.title')

export default async function Page() {
  await requirePersonalAdmin('/admin/site')
  return (
    <PageMessages areas={['admin', 'adminProviders', 'adminSite']}>
      <SitePage />
    </PageMessages>
  )
}
