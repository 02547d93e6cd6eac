import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { usualDateCookie } from '#app/gallery/finding/usual-date.ts'
import { firstPage, type GalleryAddress } from '#app/gallery/first-page.ts'
import { GuestGallery } from '#app/gallery/guest/guest-gallery.tsx'
import { translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { Gallery } from '#app/shell/account-pages.tsx'
import { requireViewer, siteOfRequest, viewerOfRequest } from '#app/viewer.ts'

// The layout's title template applies only to nested pages.
export async function generateMetadata(): Promise<Metadata> {
  const [translate, site] = await Promise.all([translatorOfRequest(), siteOfRequest()])
  return { title: { absolute: `${translate('shell.images')} · ${site.name}` } }
}

interface Props {
  searchParams: Promise<GalleryAddress>
}

/** Returns a gallery's address in the order of the date taken; null if it names an order of its own. */
function orderByTaken(address: GalleryAddress): string | null {
  const { by, sort } = address
  if (by !== undefined || sort === 'title' || sort === 'largest') return null
  const said = Object.entries(address).flatMap(([name, value = []]) => [value].flat().map((each) => [name, `${each}`]))
  return `/?${new URLSearchParams([...said, ['by', 'taken']])}`
}

export default async function GalleryPage({ searchParams }: Props) {
  const { gallery, setupNeeded } = await siteOfRequest()
  if (!gallery || setupNeeded) await requireViewer('/')
  const [viewer, address] = await Promise.all([viewerOfRequest(), searchParams])
  if (viewer && (await cookies()).get(usualDateCookie)?.value === 'taken') {
    const byTaken = orderByTaken(address)
    if (byTaken !== null) redirect(byTaken)
  }
  if (!viewer)
    return (
      <PageMessages areas={['gallery']}>
        <GuestGallery address={address} />
      </PageMessages>
    )
  return (
    <PageMessages areas={['albums', 'finding', 'gallery', 'image', 'sharing', 'tags']}>
      <Gallery first={await firstPage(address)} />
    </PageMessages>
  )
}
