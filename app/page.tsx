import type { Metadata } from 'next'
import { Gallery } from '#app/gallery/gallery.tsx'
import { requireViewer, siteOfRequest } from '#app/viewer.ts'
import { translate } from '#messages/translate.ts'

// The layout's title template applies only to nested pages.
export const metadata: Metadata = { title: { absolute: `${translate('shell.images')} · Sluice` } }

export default async function GalleryPage() {
  const { gallery, setupNeeded } = await siteOfRequest()
  if (!gallery || setupNeeded) await requireViewer('/')
  return <Gallery />
}
