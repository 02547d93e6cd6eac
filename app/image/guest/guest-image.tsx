'use client'

import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import type { LastPost } from '#app/entry/failure-cookie.ts'
import { ReportLink } from '#app/report/report-link.tsx'
import { isTaken } from '#app/shell/key-command.ts'
import { useSession } from '#app/shell/session.tsx'
import { leaveTo } from '#app/shell/sign-in.ts'
import { copyOrShow } from '#app/ui/copy.ts'
import { CopyLink } from '../copy-link.tsx'
import { Details } from '../details.tsx'
import { readLinkFormat } from '../link-format.ts'
import { ShareButton } from '../share-button.tsx'
import { type Linked, toLinked, writeLink } from '../snippets.ts'
import { Stage } from '../stage.tsx'
import { useMade } from '../use-made.ts'
import { DownloadForm } from './download-form.tsx'

interface Props {
  image: ImageItem
  last: LastPost | null
  /** What the owner has written, rendered on the server. */
  description: ReactNode
  tags: ReactNode
}

/** An image as a guest sees it. `c` copies its link, and Escape leads to the gallery if the site has one. */
export function GuestImage({ image, last, description, tags }: Props) {
  const t = useTranslations('image')
  const { gallery } = useSession()
  const [note, setNote] = useState('')
  const linked = toLinked(image)
  const copy = async (link: Linked) => {
    const format = readLinkFormat()
    setNote('')
    if (await copyOrShow(writeLink(link, format))) setNote(t(`copied.${format}`, { count: 1 }))
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTaken(event.target)) return
    if (event.key === 'Escape' && gallery) leaveTo('/')
    if (event.key === 'c' && linked) void copy(linked)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return (
    <div className="lg:-mb-16 lg:grid lg:grid-cols-[minmax(0,1fr)_22.5rem]">
      <Stage image={useMade(image)} back={gallery ? '/' : undefined} onPrevious={undefined} onNext={undefined} />
      <aside aria-label={t('about')} className="flex flex-col gap-7 border-line px-4 py-5 sm:px-6 lg:border-l lg:py-6">
        <div className="flex flex-col gap-4">
          <h1 dir="auto" className="text-lg leading-snug font-semibold break-words">
            {image.title}
          </h1>
          {description}
          <div className="flex flex-wrap items-start gap-2">
            {linked && <CopyLink image={linked} onCopy={() => void copy(linked)} />}
            {linked && <DownloadForm image={image} slug={linked.slug} last={last} />}
            {linked && (
              <ShareButton
                url={writeLink(linked, 'page')}
                title={linked.title}
                onFail={() => setNote(t('shareFailed'))}
              />
            )}
          </div>
          <p role="status" className="text-sm text-ink-soft empty:-mt-4">
            {note}
          </p>
        </div>
        {tags}
        <section className="flex flex-col gap-2.5">
          <h2 className="text-sm font-semibold">{t('details')}</h2>
          <Details
            image={image}
            ownerHref={gallery && image.visibility === 'public' ? `/?owner=${image.owner.id}` : undefined}
          />
        </section>
        {linked && <ReportLink href={`/report?image=${linked.slug}`}>{t('report')}</ReportLink>}
      </aside>
    </div>
  )
}
