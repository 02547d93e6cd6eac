import type { Metadata } from 'next'
import { cache } from 'react'
import { translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { AlbumPage } from '#app/shell/account-pages.tsx'
import { callerOfRequest, requireViewer, unlessRefused } from '#app/viewer.ts'

interface Props {
  params: Promise<{ id: string }>
}

/** Loads the album, once for the head and the page. */
const load = cache(async (id: string) => unlessRefused((await callerOfRequest()).album.get({ id })))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params
  await requireViewer(`/albums/${id}`)
  const [translate, { value: album }] = await Promise.all([translatorOfRequest(), load(id)])
  return { title: album?.title ?? translate('albums.titleOne') }
}

export default async function Page({ params }: Props) {
  const { id } = await params
  await requireViewer(`/albums/${id}`)
  const { value: album } = await load(id)
  return (
    <PageMessages areas={['albums', 'gallery', 'image', 'sharing']}>
      <AlbumPage key={id} id={id} initial={album} />
    </PageMessages>
  )
}
