'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { EditConflict } from '#app/limits/edit-conflict.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { hasCode } from '#app/limits/message.ts'
import { Button } from '#app/ui/button.tsx'
import { inputClass } from '#app/ui/input-class.ts'

/** The server's maximum. */
const MOST = 2000

interface Props {
  image: ImageItem
  onChange: (image: ImageItem) => void
  onClose: () => void
}

/** Edits the description. The draft stays if saving fails or the description was changed in the meantime. */
export default function DescriptionForm({ image, onChange, onClose }: Props) {
  const t = useTranslations('image')
  const client = useTRPCClient()
  const [draft, setDraft] = useState(image.description ?? '')
  const replace = async (description: string): Promise<ImageItem> => {
    const { id } = image
    try {
      return await client.image.update.mutate({ id, description, seenDescription: image.description ?? '' })
    } catch (error) {
      if (!hasCode(error, 'CONFLICT')) throw error
      throw new EditConflict(t('descriptionChanged'), await client.image.get.query({ id }))
    }
  }
  const update = useMutation<ImageItem, Error, string>({
    mutationFn: replace,
    onSuccess: (changed) => {
      onClose()
      onChange(changed)
    },
    onError: (error) => error instanceof EditConflict && onChange(error.now),
  })
  const isHeldBack = useHeldBack(update.error)
  const save = () => {
    if (draft === image.description) onClose()
    else if (!isHeldBack && !update.isPending) update.mutate(draft)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <textarea
        dir="auto"
        aria-label={t('description')}
        value={draft}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        maxLength={MOST}
        rows={5}
        ref={begin}
        onKeyDown={press}
        className={`${inputClass} h-auto resize-y py-2 text-sm leading-relaxed field-sizing-content max-h-96 min-h-28`}
      />
      <p className="text-sm text-ink-soft">{t('descriptionHint')}</p>
      <FormFailure error={update.error} />
      <div className="flex gap-2">
        <Button type="submit" tone="primary" size="small" isPending={update.isPending} isDisabled={isHeldBack}>
          {t('save')}
        </Button>
        <Button tone="quiet" size="small" onPress={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}

function begin(field: HTMLTextAreaElement | null): void {
  field?.focus()
}
