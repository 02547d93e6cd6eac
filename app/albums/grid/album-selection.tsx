'use client'

import { BookImage, FolderMinus, FolderPlus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { AlbumItem, ImageItem } from '#app/connection/trpc.ts'
import { rightsOver } from '#app/gallery/rights.ts'
import { CopyButtons } from '#app/gallery/selecting/copy-buttons.tsx'
import { BarButton, ListBar, SelectionBar } from '#app/gallery/selecting/selection-bar.tsx'
import type { Selection } from '#app/gallery/selecting/use-selection.ts'
import { useImageActions } from '#app/gallery/use-image-actions.tsx'
import { useSession } from '#app/shell/session.tsx'
import { AddToAlbum } from '../adding/add-to-album.tsx'
import type { AlbumActions } from '../use-album-actions.tsx'
import { useAlbumCache } from '../use-albums.ts'

interface Props {
  album: AlbumItem
  actions: AlbumActions
  selection: Selection
  onCopy: (items: readonly ImageItem[]) => void
  onRemove: (items: readonly ImageItem[]) => void
}

/** What can be done with the selected images of an album. */
export default function AlbumSelection({ album, actions, selection, onCopy, onRemove }: Props) {
  const t = useTranslations('albums')
  const tGallery = useTranslations('gallery')
  const { account } = useSession()
  const [adding, setAdding] = useState<readonly ImageItem[] | null>(null)
  const cache = useAlbumCache()
  const { trash } = useImageActions()
  const { selected, clear } = selection
  const [first] = selected
  const isNone = selected.length === 0
  const trashable = selected.filter((image) => rightsOver(account, image).trash)
  const trashAll = async () => {
    clear()
    await trash(trashable)
    await cache.expire(album.id)
  }
  return (
    <ListBar isSelecting>
      <SelectionBar selection={selection}>
        <CopyButtons readable={selected} onCopy={onCopy} />
        <BarButton icon={FolderPlus} word={t('addTo')} isDisabled={isNone} onPress={() => setAdding(selected)} />
        {album.mayEdit && first && selected.length === 1 && (
          <BarButton
            icon={BookImage}
            word={t('useAsCover')}
            onPress={() => {
              clear()
              void actions.update({ coverId: first.id }, t('coverSet'))
            }}
          />
        )}
        {album.mayEdit && (
          <BarButton icon={FolderMinus} word={t('remove')} isDisabled={isNone} onPress={() => onRemove(selected)} />
        )}
        {trashable.length > 0 && (
          <BarButton icon={Trash2} word={tGallery('moveToTrash')} tone="quiet-danger" onPress={() => void trashAll()} />
        )}
      </SelectionBar>
      <AddToAlbum images={adding} onClose={() => setAdding(null)} />
    </ListBar>
  )
}
