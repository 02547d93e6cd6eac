import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { SharesPage } from '#app/shell/account-pages.tsx'
import { requireViewer } from '#app/viewer.ts'

export const generateMetadata = titled('sharing.title')

export default async function Page() {
  await requireViewer('/shares')
  return (
    <PageMessages areas={['sharing']}>
      <SharesPage />
    </PageMessages>
  )
}
