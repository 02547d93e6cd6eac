'use client'

import { FolderPlus, Heart, Share2, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { Fragment, type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { AddToAlbum } from '#app/albums/adding/add-to-album.tsx'
import type { ImageItem } from '#app/connection/trpc.ts'
import { rightsOver } from '#app/gallery/rights.ts'
import { ReportLink } from '#app/report/report-link.tsx'
import { ShareTrigger } from '#app/shares/share-trigger.tsx'
import { mayFile, useSession } from '#app/shell/session.tsx'
import { ImageTags } from '#app/tags/image-tags.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { late } from '#app/ui/late.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { CopyLink } from './copy-link.tsx'
import { Description } from './description.tsx'
import { Details } from './details.tsx'
import { DownloadButton } from './download-button.tsx'
import { ShareButton } from './share-button.tsx'
import { toLinked, writeLink } from './snippets.ts'
import { TitleEditor } from './title-editor.tsx'
import { ReadsPart } from './usage/reads-part.tsx'
import { VisibilityChoice } from './visibility-choice.tsx'

/** Few images are in the trash. */
const TrashedNotice = late(() => import('./trashed-notice.tsx'))

interface Props {
  image: ImageItem
  onChange: (image: ImageItem) => void
  onCopy: () => void
  onFavourite: () => void
  onTrash: () => void
}

/** The panel beside the image: title, actions, visibility and details. When another image is shown, what is typed or open for this
 *  one goes, but the buttons stay, so that the focus does too. */
export function ImagePanel({ image, onChange, onCopy, onFavourite, onTrash }: Props) {
  const t = useTranslations('image')
  const tTags = useTranslations('tags')
  const tAlbums = useTranslations('albums')
  const [adding, setAdding] = useState<readonly ImageItem[] | null>(null)
  const tSharing = useTranslations('sharing')
  const { account } = useSession()
  const rights = rightsOver(account, image)
  const linked = toLinked(image)
  const { id } = image
  return (
    <aside aria-label={t('about')} className="flex flex-col gap-7 border-line px-4 py-5 sm:px-6 lg:border-l lg:py-6">
      <div className="flex flex-col gap-4">
        <div className="flex items-start">
          <div className="min-w-0 flex-1">
            {rights.edit ? (
              <TitleEditor key={id} image={image} onChange={onChange} />
            ) : (
              <h1 dir="auto" className="text-lg leading-snug font-semibold break-words">
                {image.title}
              </h1>
            )}
          </div>
          {mayFile(account) && (
            <IconButton
              label={t(image.favourite ? 'unfavourite' : 'favourite')}
              onPress={onFavourite}
              className="-mt-1 mr-1"
            >
              <Heart size={17} className={image.favourite ? 'fill-current text-danger' : ''} />
            </IconButton>
          )}
        </div>
        <Fragment key={id}>
          <Description image={image} isEditable={rights.edit} onChange={onChange} />
          {image.trashedAt && <TrashedNotice image={image} onChange={onChange} />}
        </Fragment>
        <div className="flex flex-wrap items-start gap-2">
          {linked && <CopyLink image={linked} onCopy={onCopy} />}
          <DownloadButton key={id} image={image} />
          {/* A row of their own if there are several: beside them, the download has no room for its label. */}
          <div className="flex gap-2 empty:hidden has-[>:nth-child(2)]:w-full">
            {rights.share && !image.trashedAt && (
              <ShareTrigger target={{ images: [id] }}>
                {(open) => (
                  <IconButton tone="plain" size="icon" label={tSharing('share')} onPress={open}>
                    <Share2 size={17} />
                  </IconButton>
                )}
              </ShareTrigger>
            )}
            {linked && image.visibility !== 'private' && (
              <ShareButton
                url={writeLink(linked, 'page')}
                title={linked.title}
                onFail={() => toast({ title: t('shareFailed') })}
              />
            )}
            {rights.file && !image.trashedAt && (
              <IconButton tone="plain" size="icon" label={tAlbums('addTo')} onPress={() => setAdding([image])}>
                <FolderPlus size={17} />
              </IconButton>
            )}
            {rights.trash && !image.trashedAt && (
              <IconButton tone="plain" size="icon" label={t('moveToTrash')} onPress={onTrash}>
                <Trash2 size={17} />
              </IconButton>
            )}
          </div>
        </div>
      </div>
      <AddToAlbum images={adding} onClose={() => setAdding(null)} />
      {(rights.file || (image.tags ?? []).length > 0) && (
        <Part
          title={tTags('title')}
          aside={
            image.mine && (
              <Link href="/tags" prefetch={false} className="text-sm text-ink-soft hover:text-ink hover:underline">
                {tTags('all')}
              </Link>
            )
          }
        >
          <ImageTags key={id} image={image} isEditable={rights.file} onChange={onChange} />
        </Part>
      )}
      {rights.edit && (
        <Part title={t('visibility')}>
          <VisibilityChoice key={id} image={image} onChange={onChange} />
        </Part>
      )}
      <Part title={t('details')}>
        <Details key={id} image={image} />
      </Part>
      {rights.edit && <ReadsPart key={id} id={id} />}
      {!image.mine && linked && !image.trashedAt && (
        <ReportLink href={`/report?image=${linked.slug}`}>{t('report')}</ReportLink>
      )}
    </aside>
  )
}

function Part({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2.5">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-sm font-semibold">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
