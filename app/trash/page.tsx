import type { Metadata } from 'next'
import { requireViewer } from '#app/viewer.ts'
import { Trash } from './trash.tsx'

export const metadata: Metadata = { title: 'Trash' }

export default async function TrashPage() {
  await requireViewer('/trash')
  return <Trash />
}
