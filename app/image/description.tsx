'use client'

import { Pencil, Plus } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { inputClass } from '#app/ui/input-class.ts'
import { LinkedText } from './linked-text.tsx'
import { TextForm } from './text-form.tsx'

interface Props {
  image: ImageItem
  isEditable: boolean
  onChange: (image: ImageItem) => void
}

/** The description, and for its editors a form in its place. The focus returns to the button afterwards. */
export function Description({ image, isEditable, onChange }: Props) {
  const t = useTranslations('image')
  // Null before the first time.
  const [isEditing, setEditing] = useState<boolean | null>(null)
  const open = { onPress: () => setEditing(true), autoFocus: isEditing === false }
  if (isEditing) {
    return (
      <TextForm image={image} name="description" onChange={onChange} onClose={() => setEditing(false)}>
        {(field) => (
          <>
            <textarea
              {...field}
              aria-label={t('description')}
              // The server's maximum.
              maxLength={2000}
              rows={5}
              ref={begin}
              onKeyDown={submit}
              className={`${inputClass} h-auto resize-y py-2 text-sm leading-relaxed field-sizing-content max-h-96 min-h-28`}
            />
            <p className="text-sm text-ink-soft">{t('descriptionHint')}</p>
          </>
        )}
      </TextForm>
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

function begin(field: HTMLTextAreaElement | null): void {
  field?.focus()
}

/** By the button, which does nothing while it saves or must wait. */
function submit({ key, ctrlKey, metaKey, currentTarget }: KeyboardEvent<HTMLTextAreaElement>): void {
  if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.form?.querySelector('button')?.click()
}
