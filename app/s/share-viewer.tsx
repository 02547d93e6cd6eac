import { ArrowLeft, ChevronLeft, ChevronRight, Download } from 'lucide-react'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { translatorOfRequest } from '#app/locale.ts'
import { ReportLink } from '#app/report/report-link.tsx'
import { toPath } from '#app/shell/safe-path.ts'
import { buttonClass } from '#app/ui/button-class.ts'
import type { ShownShare } from '#server/sharing/show-share.ts'
import { SharedPicture } from './shared-picture.tsx'
import { ViewerKeys } from './viewer-keys.tsx'

interface Props {
  readonly path: string
  /** Its first image is the one that is shown. */
  readonly share: ShownShare
  /** From 0. */
  readonly at: number
  /** Whether it is the only image of the share. */
  readonly isAlone: boolean
}

/** One image of a share as large as the window allows, with links to its neighbours. */
export async function ShareViewer({ path, share, at, isAlone }: Props) {
  const translate = await translatorOfRequest()
  const { count } = share
  const [image] = share.images
  if (!image) notFound()
  const title = image.title || (isAlone && share.title) || translate('shared.untitled', { at: at + 1, count })
  const previous = at > 0 ? `${path}?at=${at - 1}` : null
  const next = at + 1 < count ? `${path}?at=${at + 1}` : null
  const back = isAlone ? null : path
  return (
    <div className="flex flex-col">
      <section className="relative flex min-h-64 items-center justify-center bg-sunken p-0 sm:p-4">
        <SharedPicture key={image.url} image={image} title={title} />
        {previous && (
          <Corner href={previous} rel="prev" label={translate('shared.previous')} className="left-3">
            <ChevronLeft size={22} />
          </Corner>
        )}
        {next && (
          <Corner href={next} rel="next" label={translate('shared.next')} className="right-3">
            <ChevronRight size={22} />
          </Corner>
        )}
      </section>
      <div className="mx-auto flex w-full max-w-4xl flex-wrap items-start justify-between gap-x-6 gap-y-3 px-4 py-5 sm:px-6">
        <div className="min-w-0 flex-1 basis-64">
          <h1 dir="auto" className="text-lg leading-snug font-semibold break-words">
            {title}
          </h1>
          {image.description && (
            <p dir="auto" className="mt-1 max-w-prose break-words whitespace-pre-line text-ink-soft">
              {image.description}
            </p>
          )}
          {!isAlone && (
            <p className="figures mt-1 text-sm text-ink-soft">{translate('shared.place', { at: at + 1, count })}</p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          {back && (
            <a href={back} className={buttonClass('plain')}>
              <ArrowLeft size={17} /> {translate('shared.back')}
            </a>
          )}
          {image.originalUrl && (
            <a href={`${toPath(image.originalUrl)}?download=1`} download className={buttonClass('primary')}>
              <Download size={17} /> {translate('shared.downloadOriginal')}
            </a>
          )}
        </div>
      </div>
      <div className="mx-auto w-full max-w-4xl px-4 pb-6 sm:px-6">
        <ReportLink href={`${path}/report?at=${at}`}>{translate('image.report')}</ReportLink>
      </div>
      <ViewerKeys previous={previous} next={next} back={back} />
    </div>
  )
}

interface CornerProps {
  href: string
  rel: 'prev' | 'next'
  label: string
  className: string
  children: ReactNode
}

/** Halfway up the picture, or what the window shows of a tall one. */
function Corner({ href, rel, label, className, children }: CornerProps) {
  return (
    <a
      href={href}
      rel={rel}
      aria-label={label}
      title={label}
      className={`absolute top-[min(50%,38dvh)] grid size-11 -translate-y-1/2 place-items-center rounded-full bg-black/55 text-white hover:bg-black/75 ${className}`}
    >
      {children}
    </a>
  )
}
