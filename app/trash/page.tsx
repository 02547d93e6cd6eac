import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { requireViewer } from '#app/viewer.ts'
import { Trash } from './trash.tsx'

export const generateMetadata = titled('trash.title')

export default async function TrashPage() {
  await requireViewer('/trash')
  return (
    <PageMessages areas={['gallery', 'trash']}>
      <Trash />
    </PageMessages>
  )
}
