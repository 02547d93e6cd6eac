import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { requireSuperadmin } from '#app/viewer.ts'
import { AccessPage } from './access-page.tsx'

export const generateMetadata = titled('adminAccess.title')

export default async function Page() {
  await requireSuperadmin('/admin/access')
  return (
    <PageMessages areas={['admin', 'adminAccess']}>
      <AccessPage />
    </PageMessages>
  )
}
