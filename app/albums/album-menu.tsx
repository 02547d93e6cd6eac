'use client'

import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { AlbumItem } from '#app/connection/trpc.ts'
import { ShareTrigger } from '#app/shares/share-trigger.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { late } from '#app/ui/late.tsx'
import { useMenuButton } from '#app/ui/use-menu-button.ts'
import type { AlbumActions } from './use-album-actions.tsx'

const AlbumMenuItems = late(() => import('./album-menu-items.tsx'))

interface Props {
  album: AlbumItem
  actions: AlbumActions
  mayHide: boolean
}

/** What is rarely done with an album. Hiding another's album is asked about, because its link ends. */
export function AlbumMenu({ album, actions, mayHide }: Props) {
  const t = useTranslations('albums')
  const { button, isOpen, popover } = useMenuButton(AlbumMenuItems.load)
  const { shared } = useAccount()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <IconButton {...button} label={t('more')} tone="plain">
        <Ellipsis size={16} />
      </IconButton>
      <ShareTrigger target={{ album: album.id, title: album.title }}>
        {(share) =>
          isOpen && (
            <AlbumMenuItems
              popover={popover}
              album={album}
              mayHide={mayHide}
              onShare={album.mine && !shared ? share : undefined}
              onFirstAsCover={() => void actions.update({ coverId: null }, t('coverSet'))}
              onDelete={() => void actions.erase()}
              onHide={() => setAsking(true)}
            />
          )
        }
      </ShareTrigger>
      <Confirm
        isOpen={isAsking}
        title={t('makePrivateTitle')}
        action={t('makePrivate')}
        onClose={() => setAsking(false)}
        onConfirm={() => void actions.hide()}
      >
        {t('linkEnds')}
      </Confirm>
    </>
  )
}
