import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { Tags } from '#app/shell/account-pages.tsx'
import { requireViewer } from '#app/viewer.ts'

export const generateMetadata = titled('tags.title')

export default async function TagsPage() {
  await requireViewer('/tags')
  return (
    <PageMessages areas={['tags']}>
      <Tags />
    </PageMessages>
  )
}
