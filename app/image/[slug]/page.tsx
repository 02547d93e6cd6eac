import type { Metadata } from 'next'
import { cache } from 'react'
import { readFailure } from '#app/entry/failure-cookie.ts'
import { AccountImagePage } from '#app/image/account-page.tsx'
import { GuestImage } from '#app/image/guest/guest-image.tsx'
import { RefusedPage } from '#app/limits/refused-page.tsx'
import { translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { callerOfRequest, siteOfRequest, unlessRefused, viewerOfRequest } from '#app/viewer.ts'

interface Props {
  params: Promise<{ slug: string }>
}

/** Loads the image, once for the head and the page. */
const load = cache(async (slug: string) => unlessRefused((await callerOfRequest()).image.get({ slug })))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [translate, site] = await Promise.all([translatorOfRequest(), siteOfRequest()])
  const { value: image } = await load((await params).slug)
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
  const [{ value: image, limit }, viewer] = await Promise.all([load(slug), viewerOfRequest()])
  return (
    <PageMessages areas={['gallery', 'image']}>
      {viewer ? (
        <AccountImagePage key={slug} slug={slug} initial={image} />
      ) : image ? (
        <GuestImage image={image} last={await readFailure()} />
      ) : (
        <RefusedPage limit={limit} />
      )}
    </PageMessages>
  )
}
