import type { Metadata } from 'next'
import { Gallery } from '#app/gallery/gallery.tsx'
import { translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { requireViewer, siteOfRequest } from '#app/viewer.ts'

// The layout's title template applies only to nested pages.
export async function generateMetadata(): Promise<Metadata> {
  const [translate, site] = await Promise.all([translatorOfRequest(), siteOfRequest()])
  return { title: { absolute: `${translate('shell.images')} · ${site.name}` } }
}

export default async function GalleryPage() {
  const { gallery, setupNeeded } = await siteOfRequest()
  if (!gallery || setupNeeded) await requireViewer('/')
  return (
    <PageMessages areas={['gallery', 'image']}>
      <Gallery />
    </PageMessages>
  )
}
