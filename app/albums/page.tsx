import { GuestAlbums } from '#app/albums/guest/guest-albums.tsx'
import { type PageAddress, readAfter } from '#app/gallery/guest/read-after.ts'
import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { AlbumsPage } from '#app/shell/account-pages.tsx'
import { requireViewer, siteOfRequest, viewerOfRequest } from '#app/viewer.ts'

export const generateMetadata = titled('albums.title')

interface Props {
  searchParams: Promise<PageAddress & { readonly owner?: string | readonly string[] }>
}

/** The albums of the account; the public ones for guests, where the public gallery is on. */
export default async function Page({ searchParams }: Props) {
  const { gallery, setupNeeded } = await siteOfRequest()
  if (!gallery || setupNeeded) await requireViewer('/albums')
  const [viewer, address] = await Promise.all([viewerOfRequest(), searchParams])
  return (
    <PageMessages areas={['albums', 'gallery']}>
      {viewer ? <AlbumsPage /> : <GuestAlbums after={readAfter(address)} owner={[address.owner ?? []].flat()[0]} />}
    </PageMessages>
  )
}
