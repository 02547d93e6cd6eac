import type { Metadata } from 'next'
import { requireViewer } from '#app/viewer.ts'
import { translate } from '#messages/translate.ts'
import { Trash } from './trash.tsx'

export const metadata: Metadata = { title: translate('trash.title') }

export default async function TrashPage() {
  await requireViewer('/trash')
  return <Trash />
}
