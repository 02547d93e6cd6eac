import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { readFailure } from '#app/entry/failure-cookie.ts'
import { titledSecret } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { ReportPage } from '#app/report/report-page.tsx'
import { parseNumber } from '#app/s/parse-number.ts'
import { currentApp } from '#server/current-app.ts'
import type { SharedImage } from '#server/sharing/shared-item.ts'

interface Props {
  params: Promise<{ token: string }>
  searchParams: Promise<{ at?: string | string[]; from?: string | string[]; sent?: string }>
}

export const generateMetadata = titledSecret('reporting.title')

/** Reports images of a share: the one `at`, or some of those `from` an image on. */
export default async function Page({ params, searchParams }: Props) {
  const [{ token }, query] = await Promise.all([params, searchParams])
  const [at, from] = [parseNumber(query.at), parseNumber(query.from) ?? 0]
  const path = `/s/${encodeURIComponent(token)}`
  if (query.sent !== undefined) return <ReportPage path={path} choices={null} />
  const page = await currentApp().sharePage(token, { at, from }, await headers())
  if (page?.kind === 'closed') redirect(path)
  const { images = [] } = page?.share ?? {}
  const shown = at === null ? images : images.slice(0, 1)
  if (!page || shown.length === 0) notFound()
  const hidden = { link: token, next: `${path}/report?sent=1`, ...(page.visit !== null && { visit: page.visit }) }
  const back = at === null ? path : `${path}?at=${at}`
  return (
    <PageMessages areas={['reporting']}>
      <ReportPage path={back} choices={shown.map(toChoice)} hidden={hidden} last={await readFailure()} />
    </PageMessages>
  )
}

/** By the name that the share gives the image in addresses of its bytes. */
function toChoice({ thumbnailUrl, title, width, height }: SharedImage) {
  const name = new URL(thumbnailUrl).pathname.split('/').at(-1)?.replace(/\..*/, '') ?? ''
  return { value: name, thumbnailUrl, title: title ?? '', width, height }
}
