'use client'

import { Download, Share2, SquareCheck, Upload } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { AlbumItem } from '#app/connection/trpc.ts'
import { useSession } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { late } from '#app/ui/late.tsx'
import { Select } from '#app/ui/select.tsx'
import { UploadTrigger } from '#app/upload/upload-button.tsx'
import { useUploadTarget } from '#app/upload/upload-target.ts'
import { AlbumHead } from './album-head.tsx'
import { AlbumMenu } from './album-menu.tsx'
import { AlbumImages } from './grid/album-images.tsx'
import { HiddenNotice } from './hidden-notice.tsx'
import { useAlbumActions } from './use-album-actions.tsx'

const ShareDialog = late(() => import('./share-dialog.tsx'))

const orders = ['manual', 'newest', 'oldest'] as const

/** An album: what it is, what can be done with it, and its images. Files dropped on its page are uploaded into it. */
export function AlbumView({ album }: { album: AlbumItem }) {
  const t = useTranslations('albums')
  const tGallery = useTranslations('gallery')
  const { account } = useSession()
  const [isSharing, setSharing] = useState(false)
  const actions = useAlbumActions(album)
  useUploadTarget(album.mayEdit ? album : null)
  const mayHide = !album.mayEdit && account?.role === 'admin' && !account.shared && album.visibility === 'public'
  return (
    <div className="px-4 sm:px-6">
      <AlbumHead album={album} />
      <HiddenNotice album={album} />
      <AlbumImages key={album.order} album={album} actions={actions}>
        {(onSelect) => (
          <div className="mb-3 flex min-h-14 flex-wrap items-center gap-2 py-2">
            {album.mayEdit && (
              <Button size="small" onPress={() => setSharing(true)}>
                <Share2 size={16} /> {t('share')}
              </Button>
            )}
            {album.count.count > 0 && (
              <Button size="small" onPress={() => void actions.download()}>
                <Download size={16} /> {t('download')}
              </Button>
            )}
            {album.mayEdit && (
              <UploadTrigger>
                {(open) => (
                  <Button size="small" onPress={open.files}>
                    <Upload size={16} /> {t('addImages')}
                  </Button>
                )}
              </UploadTrigger>
            )}
            {album.count.count > 0 && (
              <IconButton tone="plain" label={tGallery('selectImages')} onPress={onSelect}>
                <SquareCheck size={16} />
              </IconButton>
            )}
            {(album.mayEdit || mayHide) && <AlbumMenu album={album} actions={actions} mayHide={mayHide} />}
            {album.mayEdit && album.count.count > 1 && (
              <div className="ml-auto w-40 [&_select]:h-8 [&_select]:text-sm">
                <Select
                  isLabelHidden
                  label={t('order')}
                  value={album.order}
                  options={orders.map((value) => ({ value, label: t(`orders.${value}`) }))}
                  onChange={(order) => void actions.update({ order })}
                />
              </div>
            )}
          </div>
        )}
      </AlbumImages>
      {isSharing && <ShareDialog album={album} onClose={() => setSharing(false)} />}
    </div>
  )
}
