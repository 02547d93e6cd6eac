'use client'

import { Download, FolderPlus, Share2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { AddToAlbum } from '#app/albums/adding/add-to-album.tsx'
import type { ImageItem } from '#app/connection/trpc.ts'
import { MAX_SHARED } from '#app/shares/draft.ts'
import { ShareTrigger } from '#app/shares/share-trigger.tsx'
import { mayFile, useSession } from '#app/shell/session.tsx'
import { rightsOver } from '../rights.ts'
import { useImageActions } from '../use-image-actions.tsx'
import { CopyButtons } from './copy-buttons.tsx'
import { FilingButtons } from './filing-buttons.tsx'
import { AT_ONCE } from './many.ts'
import { BarButton } from './selection-bar.tsx'
import { VisibilityMenu } from './visibility-menu.tsx'

interface Props {
  selected: readonly ImageItem[]
  onCopy: (images: readonly ImageItem[]) => void
  onTrash: (images: readonly ImageItem[]) => void
  /** Called when an action ends the selection. */
  onDone: () => void
}

/** What a gallery offers for the selected images, loaded when some are. */
export default function SelectionActions({ selected, onCopy, onTrash, onDone }: Props) {
  const t = useTranslations('gallery')
  const tAlbums = useTranslations('albums')
  const [adding, setAdding] = useState<readonly ImageItem[] | null>(null)
  const tSharing = useTranslations('sharing')
  const { account } = useSession()
  const { setVisibility, download } = useImageActions()
  const readable = selected.filter(({ url }) => url !== null)
  const editable = selected.filter((image) => rightsOver(account, image).edit)
  const shareable = selected.filter((image) => rightsOver(account, image).share).slice(0, MAX_SHARED)
  return (
    <>
      <CopyButtons readable={readable} onCopy={onCopy} />
      <BarButton
        until="wide"
        icon={Download}
        word={
          readable.length > AT_ONCE ? t('downloadMost', { most: AT_ONCE }) : t('download', { count: readable.length })
        }
        isDisabled={readable.length === 0}
        onPress={() => void download(readable)}
      />
      {mayFile(account) && (
        <>
          <BarButton
            until="wide"
            icon={FolderPlus}
            word={tAlbums('addTo')}
            isDisabled={editable.length === 0}
            onPress={() => setAdding(editable)}
          />
          <FilingButtons readable={readable} editable={editable} />
        </>
      )}
      {!account?.shared && (
        <ShareTrigger target={{ images: shareable.map(({ id }) => id) }}>
          {(open) => (
            <BarButton
              until="wide"
              icon={Share2}
              word={tSharing('share')}
              isDisabled={shareable.length === 0}
              onPress={open}
            />
          )}
        </ShareTrigger>
      )}
      <VisibilityMenu
        amount={editable.length}
        onSet={(visibility) => {
          void setVisibility(editable, visibility)
          onDone()
        }}
      />
      <BarButton
        until="wide"
        icon={Trash2}
        word={t('moveToTrash')}
        tone="quiet-danger"
        isDisabled={!selected.some((image) => rightsOver(account, image).trash)}
        onPress={() => onTrash(selected)}
      />
      <AddToAlbum
        images={adding}
        onClose={() => {
          setAdding(null)
          onDone()
        }}
      />
    </>
  )
}
