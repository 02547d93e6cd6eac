'use client'

import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { inputClass } from '#app/ui/input-class.ts'
import { TextForm } from './text-form.tsx'

/** The server's maximum. */
const MOST = 2000

interface Props {
  image: ImageItem
  onChange: (image: ImageItem) => void
  onClose: () => void
}

/** Edits the description. */
export default function DescriptionForm(props: Props) {
  const t = useTranslations('image')
  return (
    <TextForm {...props} name="description">
      {(field) => (
        <>
          <textarea
            {...field}
            aria-label={t('description')}
            maxLength={MOST}
            rows={5}
            ref={begin}
            className={`${inputClass} h-auto resize-y py-2 text-sm leading-relaxed field-sizing-content max-h-96 min-h-28`}
          />
          <p className="text-sm text-ink-soft">{t('descriptionHint')}</p>
        </>
      )}
    </TextForm>
  )
}

function begin(field: HTMLTextAreaElement | null): void {
  field?.focus()
}
