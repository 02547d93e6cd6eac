'use client'

import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { EditConflict } from '#app/limits/edit-conflict.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { hasCode } from '#app/limits/message.ts'
import { Button } from '#app/ui/button.tsx'

type Field = HTMLInputElement | HTMLTextAreaElement

/** What the field of the draft is given. */
interface FieldProps {
  dir: 'auto'
  value: string
  onChange: (event: ChangeEvent<Field>) => void
}

interface Props {
  image: ImageItem
  name: 'title' | 'description'
  onChange: (image: ImageItem) => void
  onClose: () => void
  children: (field: FieldProps) => ReactNode
}

/** Edits the title or the description. The draft stays if saving fails or the text was changed in the meantime. */
export function TextForm({ image, name, onChange, onClose, children }: Props) {
  const t = useTranslations('image')
  const client = useTRPCClient()
  const seen = image[name] ?? ''
  const [draft, setDraft] = useState(seen)
  const replace = async (text: string): Promise<ImageItem> => {
    const { id } = image
    const change = name === 'title' ? { title: text, seenTitle: seen } : { description: text, seenDescription: seen }
    try {
      return await client.image.update.mutate({ id, ...change })
    } catch (error) {
      if (!hasCode(error, 'CONFLICT')) throw error
      const now = await client.image.get.query({ id })
      throw new EditConflict(t(`changed.${name}`, { title: now.title ?? '' }), now)
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
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (draft === seen) onClose()
    else update.mutate(draft)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // Of the page, it would lead back to the list.
    event.preventDefault()
    onClose()
  }
  return (
    <form onSubmit={save} onKeyDown={press} className="flex flex-col gap-2">
      {children({ dir: 'auto', value: draft, onChange: ({ currentTarget }) => setDraft(currentTarget.value) })}
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
