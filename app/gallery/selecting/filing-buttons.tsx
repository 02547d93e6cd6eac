'use client'

import { Heart, HeartOff, Tag } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { late } from '#app/ui/late.tsx'
import { BarButton } from './selection-bar.tsx'
import { useFiling } from './use-filing.ts'

const TagsDialog = late(() => import('./tags-dialog.tsx'))

interface Props {
  /** The selected images that the viewer may see, and those of them that they may edit. */
  readable: readonly ImageItem[]
  editable: readonly ImageItem[]
}

/** Marks the selected images as favourites, or edits their tags. The selection stays. */
export function FilingButtons({ readable, editable }: Props) {
  const t = useTranslations('gallery')
  const filing = useFiling()
  const [isOpen, setOpen] = useState(false)
  const areMarked = readable.length > 0 && readable.every(({ favourite }) => favourite)
  return (
    <>
      <BarButton
        until="wide"
        icon={areMarked ? HeartOff : Heart}
        word={t(areMarked ? 'removeFromFavourites' : 'addToFavourites')}
        isDisabled={readable.length === 0}
        onPress={() => void filing.favourite(readable, !areMarked)}
      />
      <BarButton
        until="wide"
        icon={Tag}
        word={t('tags')}
        isDisabled={editable.length === 0}
        onPress={() => setOpen(true)}
        onPointerEnter={TagsDialog.load}
        onFocus={TagsDialog.load}
      />
      {isOpen && (
        <TagsDialog
          images={editable}
          isOpen
          onClose={() => setOpen(false)}
          onSave={(change) => void filing.tag(editable, change)}
        />
      )}
    </>
  )
}
