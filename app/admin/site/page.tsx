import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { requireAdmin } from '#app/viewer.ts'
import { SitePage } from './site-page.tsx'

export const generateMetadata = titled('adminSite.title')

export default async function Page() {
  await requireAdmin('/admin/site')
  return (
    <PageMessages areas={['admin', 'adminSite']}>
      <SitePage />
    </PageMessages>
  )
}
