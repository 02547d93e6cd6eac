import type { Metadata } from 'next'
import { Gallery } from '#app/gallery/gallery.tsx'
import { requireViewer, siteOfRequest } from '#app/viewer.ts'

export const metadata: Metadata = { title: 'Images' }

export default async function GalleryPage() {
  const { gallery, setupNeeded } = await siteOfRequest()
  if (!gallery || setupNeeded) await requireViewer('/')
  return <Gallery />
}
