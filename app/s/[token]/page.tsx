import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { readFailure } from '#app/entry/failure-cookie.ts'
import { translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { previewMetadata } from '#app/previews.ts'
import { OpenForm } from '#app/s/open-form.tsx'
import { parseNumber } from '#app/s/parse-number.ts'
import { ShareGallery } from '#app/s/share-gallery.tsx'
import { ShareViewer } from '#app/s/share-viewer.tsx'
import { siteOfRequest } from '#app/viewer.ts'
import { currentApp } from '#server/current-app.ts'

interface Props {
  params: Promise<{ token: string }>
  searchParams: Promise<{ at?: string | string[]; from?: string | string[] }>
}

/** Loads the page's part of the share, once for the head and the page. `at` is an image that is shown alone. */
const load = cache(async (token: string, at: number | null, from: number) =>
  currentApp().sharePage(token, { at, from }, await headers()),
)

/** Nothing of a share without its visit. Its address is for those alone who were given it. */
export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const { at, from } = await searchParams
  const [translate, site, page] = await Promise.all([
    translatorOfRequest(),
    siteOfRequest(),
    load((await params).token, parseNumber(at), parseNumber(from) ?? 0),
  ])
  const { share = null, preview = null } = page?.kind === 'shown' ? page : {}
  const metadata = previewMetadata(preview, { title: share?.title || translate('shared.title'), siteName: site.name })
  return { ...metadata, referrer: 'no-referrer', robots: { index: false, follow: false } }
}

export default async function Page({ params, searchParams }: Props) {
  const [{ token }, query] = await Promise.all([params, searchParams])
  const [at, from] = [parseNumber(query.at), parseNumber(query.from) ?? 0]
  const page = await load(token, at, from)
  if (!page) notFound()
  const path = `/s/${encodeURIComponent(token)}`
  if (page.kind === 'closed') {
    const { hasPassword, viewsLeft } = page
    return (
      <PageMessages areas={['gallery', 'shared']}>
        <OpenForm token={token} hasPassword={hasPassword} viewsLeft={viewsLeft} last={await readFailure()} />
      </PageMessages>
    )
  }
  const { share } = page
  const isAlone = share.count === 1
  return (
    <PageMessages areas={['gallery', 'shared']}>
      {at !== null || isAlone ? (
        <ShareViewer path={path} share={share} at={at ?? 0} isAlone={isAlone} />
      ) : (
        <ShareGallery path={path} share={share} from={from} />
      )}
    </PageMessages>
  )
}
