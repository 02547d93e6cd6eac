'use client'

import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { rightsOver } from '#app/gallery/rights.ts'
import { useSession } from '#app/shell/session.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { CopyLink } from './copy-link.tsx'
import { Details } from './details.tsx'
import { DownloadButton } from './download-button.tsx'
import { ShareButton } from './share-button.tsx'
import { toLinked, writeLink } from './snippets.ts'
import { TitleEditor } from './title-editor.tsx'
import { TrashedNotice } from './trashed-notice.tsx'
import { VisibilityChoice } from './visibility-choice.tsx'

interface Props {
  image: ImageItem
  onChange: (image: ImageItem) => void
  onCopy: () => void
  onTrash: () => void
}

/** The panel beside the image: title, actions, visibility and details. */
export function ImagePanel({ image, onChange, onCopy, onTrash }: Props) {
  const t = useTranslations('image')
  const { account } = useSession()
  const rights = rightsOver(account, image)
  const linked = toLinked(image)
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
          {linked && <CopyLink image={linked} onCopy={onCopy} />}
          <DownloadButton image={image} />
          {linked && image.visibility !== 'private' && (
            <ShareButton
              url={writeLink(linked, 'page')}
              title={linked.title}
              onFail={() => toast({ title: t('shareFailed') })}
            />
          )}
          {rights.trash && !image.trashedAt && (
            <IconButton tone="plain" size="icon" label={t('moveToTrash')} onPress={onTrash}>
              <Trash2 size={17} />
            </IconButton>
          )}
        </div>
      </div>
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

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2.5">
      <h2 className="text-sm font-semibold">{title}</h2>
      {children}
    </section>
  )
}
