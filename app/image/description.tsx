'use client'

import { Pencil, Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { LinkedText } from './linked-text.tsx'

const load = () => import('./description-form.tsx')
const DescriptionForm = lazy(load)

interface Props {
  image: ImageItem
  isEditable: boolean
  onChange: (image: ImageItem) => void
}

/** The description, and for its editors a form in its place. The focus returns to the button afterwards. */
export function Description({ image, isEditable, onChange }: Props) {
  const t = useTranslations('image')
  const [isEditing, setEditing] = useState(false)
  const [returnsFocus, setReturnsFocus] = useState(false)
  const open = { onPress: () => setEditing(true), onPointerEnter: load, onFocus: load, autoFocus: returnsFocus }
  const close = () => {
    setEditing(false)
    setReturnsFocus(true)
  }
  if (isEditing) {
    return (
      <Suspense fallback={image.description && <LinkedText text={image.description} />}>
        <DescriptionForm image={image} onChange={onChange} onClose={close} />
      </Suspense>
    )
  }
  if (!image.description) {
    return isEditable ? (
      <Button {...open} tone="quiet" size="small" className="-ml-3 self-start text-ink-soft">
        <Plus size={16} /> {t('addDescription')}
      </Button>
    ) : null
  }
  return (
    <div className="flex items-start gap-1">
      <div className="min-w-0 flex-1">
        <LinkedText text={image.description} />
      </div>
      {isEditable && (
        <IconButton {...open} label={t('editDescription')} className="-mt-1 mr-1">
          <Pencil size={16} />
        </IconButton>
      )}
    </div>
  )
}
