'use client'

import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { IconButton } from '#app/ui/icon-button.tsx'
import { inputClass } from '#app/ui/input-class.ts'
import { TextForm } from './text-form.tsx'

/** The title, and a field to edit it. The focus returns to the button afterwards. */
export function TitleEditor({ image, onChange }: { image: ImageItem; onChange: (image: ImageItem) => void }) {
  const t = useTranslations('image')
  // Null before the first time.
  const [isEditing, setEditing] = useState<boolean | null>(null)
  if (isEditing) {
    return (
      <TextForm image={image} name="title" onChange={onChange} onClose={() => setEditing(false)}>
        {(field) => (
          <>
            <h1 className="sr-only">{image.title}</h1>
            <input {...field} aria-label={t('titleField')} maxLength={200} ref={begin} className={inputClass} />
          </>
        )}
      </TextForm>
    )
  }
  return (
    <div className="flex items-start gap-1">
      <h1 dir="auto" className="min-w-0 flex-1 text-lg leading-snug font-semibold break-words">
        {image.title}
      </h1>
      <IconButton
        label={t('editTitle')}
        autoFocus={isEditing === false}
        onPress={() => setEditing(true)}
        className="-mt-1"
      >
        <Pencil size={16} />
      </IconButton>
    </div>
  )
}

function begin(input: HTMLInputElement | null): void {
  input?.focus()
  input?.select()
}
