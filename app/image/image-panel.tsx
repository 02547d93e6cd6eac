'use client'

import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { rightsOver } from '#app/gallery/rights.ts'
import { useSession } from '#app/shell/session.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { Details } from './details.tsx'
import { DownloadButton } from './download-button.tsx'
import { ShareButton } from './share-button.tsx'
import { ShareLinks } from './share-links.tsx'
import { TitleEditor } from './title-editor.tsx'
import { TrashedNotice } from './trashed-notice.tsx'
import { VisibilityChoice } from './visibility-choice.tsx'

interface Props {
  image: ImageItem
  onChange: (image: ImageItem) => void
  onTrash: () => void
}

/** The panel beside the image: title, actions, links, visibility and details. */
export function ImagePanel({ image, onChange, onTrash }: Props) {
  const t = useTranslations('image')
  const { account } = useSession()
  const rights = rightsOver(account, image)
  const page = image.url && !image.trashedAt ? new URL(`/image/${image.slug}`, image.url).href : null
  return (
    <aside aria-label={t('about')} className="flex flex-col gap-7 border-line px-4 py-5 sm:px-6 lg:border-l lg:py-6">
      <div className="flex flex-col gap-4">
        {rights.edit ? (
          <TitleEditor image={image} onChange={onChange} />
        ) : (
          <h1 dir="auto" className="text-lg leading-snug font-semibold break-words">
            {image.title}
          </h1>
        )}
        {image.trashedAt && <TrashedNotice image={image} onChange={onChange} />}
        <div className="flex flex-wrap items-start gap-2">
          <DownloadButton image={image} />
          {rights.trash && !image.trashedAt && (
            <IconButton tone="plain" size="icon" label={t('moveToTrash')} onPress={onTrash}>
              <Trash2 size={17} />
            </IconButton>
          )}
        </div>
      </div>
      {image.url && image.title !== null && page && (
        <Part
          title={t('links')}
          action={image.visibility !== 'private' && <ShareButton url={page} title={image.title} />}
        >
          <ShareLinks page={page} url={image.url} title={image.title} width={image.width} height={image.height} />
        </Part>
      )}
      {rights.edit && (
        <Part title={t('visibility')}>
          <VisibilityChoice image={image} onChange={onChange} />
        </Part>
      )}
      <Part title={t('details')}>
        <Details image={image} />
      </Part>
    </aside>
  )
}

function Part({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2.5">
      <div className="flex items-center justify-between">
        <h2 className="text-sm font-semibold">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}
