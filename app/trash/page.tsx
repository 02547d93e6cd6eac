import type { Metadata } from 'next'
import { Trash } from '#app/gallery/trash.tsx'
import { requireViewer } from '#app/viewer.ts'

export const metadata: Metadata = { title: 'Trash' }

export default async function TrashPage() {
  await requireViewer('/trash')
  return <Trash />
}
