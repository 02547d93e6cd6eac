import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { UsersPage } from '#app/shell/account-pages.tsx'
import { requireAdmin } from '#app/viewer.ts'

export const generateMetadata = titled('adminUsers.title')

export default async function Page() {
  await requireAdmin('/admin/users')
  return (
    <PageMessages areas={['admin', 'adminUsers', 'credentials', 'invites']}>
      <UsersPage />
    </PageMessages>
  )
}
