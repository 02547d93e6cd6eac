import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { AccessPage } from '#app/shell/account-pages.tsx'
import { requireSuperadmin } from '#app/viewer.ts'

export const generateMetadata = titled('adminAccess.title')

export default async function Page() {
  await requireSuperadmin('/admin/access')
  return (
    <PageMessages areas={['admin', 'adminAccess']}>
      <AccessPage />
    </PageMessages>
  )
}
