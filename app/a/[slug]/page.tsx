import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { GuestAlbum } from '#app/albums/guest/guest-album.tsx'
import { type PageAddress, readAfter } from '#app/gallery/guest/read-after.ts'
import { RefusedPage } from '#app/limits/refused-page.tsx'
import { translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { previewMetadata } from '#app/previews.ts'
import { callerOfRequest, siteOfRequest, unlessRefused, viewerOfRequest } from '#app/viewer.ts'
import { currentApp } from '#server/current-app.ts'

interface Props {
  params: Promise<{ slug: string }>
  searchParams: Promise<PageAddress>
}

/** Loads the album, once for the head and the page. */
const load = cache(async (slug: string) => unlessRefused((await callerOfRequest()).album.get({ slug })))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [translate, site] = await Promise.all([translatorOfRequest(), siteOfRequest()])
  const { value: album } = await load((await params).slug)
  const preview = album && (await currentApp().previewAlbum(album))
  return previewMetadata(preview, { title: album?.title ?? translate('albums.titleOne'), siteName: site.name })
}

/** The address of an album for everyone who may see it. Signed-in viewers get the page with what they may do. */
export default async function Page({ params, searchParams }: Props) {
  const [{ slug }, address] = await Promise.all([params, searchParams])
  const [{ value: album, limit }, viewer] = await Promise.all([load(slug), viewerOfRequest()])
  if (album && viewer) redirect(`/albums/${album.id}`)
  return (
    <PageMessages areas={['gallery']}>
      {album ? <GuestAlbum album={album} after={readAfter(address)} /> : <RefusedPage limit={limit} />}
    </PageMessages>
  )
}
