import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { ImagePage } from '#app/image/image-page.tsx'
import { translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { callerOfRequest, siteOfRequest } from '#app/viewer.ts'

interface Props {
  params: Promise<{ slug: string }>
}

/** Loads the image; null if a limit refuses it, so that the page shows the countdown. Responds not found if the viewer may not see it. */
const load = cache(async (slug: string) => {
  const caller = await callerOfRequest()
  return caller.image.get({ slug }).catch((error: unknown) => {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
    if (code === 'TOO_MANY_REQUESTS') return null
    if (code === 'NOT_FOUND' || code === 'BAD_REQUEST') notFound()
    throw error
  })
})

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [translate, site] = await Promise.all([translatorOfRequest(), siteOfRequest()])
  const image = await load((await params).slug)
  if (!image?.title || !image.url) return { title: translate('image.title'), robots: { index: false } }
  const { title, url, width, height, mime, visibility } = image
  return {
    title,
    // Only links lead to an unlisted image.
    ...(visibility !== 'public' && { robots: { index: false } }),
    openGraph: { title, siteName: site.name, images: [{ url, width, height, type: mime }] },
    twitter: { card: 'summary_large_image' },
  }
}

export default async function Page({ params }: Props) {
  const { slug } = await params
  return (
    <PageMessages areas={['gallery', 'image']}>
      <ImagePage key={slug} slug={slug} initial={await load(slug)} />
    </PageMessages>
  )
}
