import type { Metadata } from 'next'
import { AccountGallery } from '#app/gallery/account-gallery.tsx'
import { GuestGallery } from '#app/gallery/guest/guest-gallery.tsx'
import { translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { requireViewer, siteOfRequest, viewerOfRequest } from '#app/viewer.ts'

// The layout's title template applies only to nested pages.
export async function generateMetadata(): Promise<Metadata> {
  const [translate, site] = await Promise.all([translatorOfRequest(), siteOfRequest()])
  return { title: { absolute: `${translate('shell.images')} · ${site.name}` } }
}

interface Props {
  searchParams: Promise<{ readonly after?: string | readonly string[] }>
}

export default async function GalleryPage({ searchParams }: Props) {
  const { gallery, setupNeeded } = await siteOfRequest()
  if (!gallery || setupNeeded) await requireViewer('/')
  const [viewer, { after = [] }] = await Promise.all([viewerOfRequest(), searchParams])
  return (
    <PageMessages areas={['gallery', 'image']}>
      {viewer ? <AccountGallery /> : <GuestGallery after={[after].flat()} />}
    </PageMessages>
  )
}
