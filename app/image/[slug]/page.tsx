import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { readFailure } from '#app/entry/failure-cookie.ts'
import { GuestTags } from '#app/image/guest/guest-tags.tsx'
import { LinkedText } from '#app/image/linked-text.tsx'
import { RefusedPage } from '#app/limits/refused-page.tsx'
import { translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { previewMetadata } from '#app/previews.ts'
import { ImagePage } from '#app/shell/account-pages.tsx'
import { GuestImage } from '#app/shell/guest-parts.ts'
import { callerOfRequest, siteOfRequest, unlessRefused, viewerOfRequest } from '#app/viewer.ts'
import { currentApp } from '#server/current-app.ts'

interface Props {
  params: Promise<{ slug: string }>
}

/** An image's ID, as the audit names it. It leads to the image's own address. */
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Loads the image, once for the head and the page. */
const load = cache(async (slug: string) => {
  const { image } = await callerOfRequest()
  if (!ID.test(slug)) return unlessRefused(image.get({ slug }))
  const found = await unlessRefused(image.get({ id: slug }))
  if (found.value) redirect(found.value.slug === null ? '/' : `/image/${found.value.slug}`)
  return found
})

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [translate, site] = await Promise.all([translatorOfRequest(), siteOfRequest()])
  const { value: image } = await load((await params).slug)
  const preview = image && (await currentApp().previewImage(image))
  return previewMetadata(preview, { title: image?.title || translate('image.title'), siteName: site.name })
}

export default async function Page({ params }: Props) {
  const { slug } = await params
  const [{ value: image, limit }, viewer, site, translate] = await Promise.all([
    load(slug),
    viewerOfRequest(),
    siteOfRequest(),
    translatorOfRequest(),
  ])
  if (viewer)
    return (
      <PageMessages areas={['albums', 'gallery', 'image', 'sharing', 'tags']}>
        <ImagePage key={slug} slug={slug} initial={image} />
      </PageMessages>
    )
  if (!image) return <RefusedPage limit={limit} />
  return (
    <PageMessages areas={['gallery', 'image']}>
      <GuestImage
        image={image}
        last={await readFailure()}
        description={image.description && <LinkedText text={image.description} />}
        tags={
          <GuestTags
            tags={image.tags}
            title={translate('tags.title')}
            isListed={site.gallery && image.visibility === 'public'}
          />
        }
      />
    </PageMessages>
  )
}
