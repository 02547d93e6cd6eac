import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { BackupsPage } from '#app/shell/account-pages.tsx'
import { requireSuperadmin } from '#app/viewer.ts'

export const generateMetadata = titled('adminBackups.title')

export default async function Page() {
  await requireSuperadmin('/admin/backups')
  return (
    <PageMessages areas={['adminBackups', 'errors']}>
      <BackupsPage />
    </PageMessages>
  )
}
