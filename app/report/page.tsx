import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { readFailure } from '#app/entry/failure-cookie.ts'
import { RefusedPage } from '#app/limits/refused-page.tsx'
import { translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { callerOfRequest, unlessRefused } from '#app/viewer.ts'
import type { ReportChoice } from './choices.tsx'
import { ReportPage } from './report-page.tsx'

type Query = Readonly<Partial<Record<'image' | 'album' | 'after' | 'sent', string | string[]>>>

/** The images of a guest's page of an album (app/albums/guest/guest-album.tsx). */
const PAGE = 40

export async function generateMetadata(): Promise<Metadata> {
  const translate = await translatorOfRequest()
  return { title: translate('reporting.title'), robots: { index: false, follow: false } }
}

/** Reports an image by its address, or some of an album. */
export default async function Page({ searchParams }: { searchParams: Promise<Query> }) {
  const query = await searchParams
  const [image, album, after] = [read(query.image), read(query.album), read(query.after)]
  const path = image === null ? `/a/${encodeURIComponent(album ?? '')}` : `/image/${encodeURIComponent(image)}`
  if (query.sent !== undefined) return <ReportPage path={path} choices={null} />
  const { value: choices, limit } =
    image === null ? await choicesOfAlbum(album ?? '', after) : await choiceOfImage(image)
  if (!choices) return <RefusedPage limit={limit} />
  if (choices.length === 0) notFound()
  const search = new URLSearchParams({ ...(image === null ? { album: album ?? '' } : { image }) })
  return (
    <PageMessages areas={['reporting']}>
      <ReportPage
        path={path}
        choices={choices}
        hidden={{ slug: image ?? '', album: album ?? '', next: `/report?${search}&sent=1` }}
        last={await readFailure()}
      />
    </PageMessages>
  )
}

const read = (value: string | string[] | undefined): string | null => [value ?? []].flat()[0] ?? null

async function choiceOfImage(slug: string) {
  const { value: image, limit } = await unlessRefused((await callerOfRequest()).image.get({ slug }))
  return { value: image && toChoices([image]), limit }
}

async function choicesOfAlbum(slug: string, cursor: string | null) {
  const caller = await callerOfRequest()
  const { value: album, limit } = await unlessRefused(caller.album.get({ slug }))
  if (!album) return { value: null, limit }
  const page = await unlessRefused(
    caller.album.images({ id: album.id, limit: PAGE, ...(cursor !== null && { cursor }) }),
  )
  return { value: page.value && toChoices(page.value.items), limit: page.limit }
}

interface Reportable {
  readonly id: string
  readonly title: string | null
  readonly thumbnailUrl: string | null
  readonly width: number
  readonly height: number
}

const toChoices = (images: readonly Reportable[]): readonly ReportChoice[] =>
  images.flatMap(({ id, title, thumbnailUrl, width, height }) =>
    thumbnailUrl === null ? [] : [{ value: id, thumbnailUrl, title: title ?? '', width, height }],
  )
