import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { Trash } from '#app/shell/account-pages.tsx'
import { requireViewer } from '#app/viewer.ts'

export const generateMetadata = titled('trash.title')

export default async function TrashPage() {
  await requireViewer('/trash')
  return (
    <PageMessages areas={['gallery', 'trash']}>
      <Trash />
    </PageMessages>
  )
}
