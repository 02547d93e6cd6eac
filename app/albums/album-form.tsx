'use client'

import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import type { CallFailure } from '#app/limits/message.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { inputClass } from '#app/ui/input-class.ts'

export interface AlbumDraft {
  readonly title: string
  readonly description: string
}

interface Props {
  initial: AlbumDraft
  error: CallFailure | null
  isPending: boolean
  onSave: (draft: AlbumDraft) => void
  onCancel: () => void
  action: string
  children?: ReactNode
}

/** The fields of an album's title and description. */
export function AlbumForm({ initial, error, isPending, onSave, onCancel, action, children }: Props) {
  const t = useTranslations('albums')
  const [draft, setDraft] = useState(initial)
  const isHeldBack = useHeldBack(error)
  const note = useId()
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (draft.title.trim() !== '') onSave(draft)
  }
  return (
    <form onSubmit={save} className="flex flex-col gap-4">
      <Field
        label={t('field.title')}
        value={draft.title}
        onChange={(title) => setDraft({ ...draft, title })}
        maxLength={200}
        dir="auto"
        // The form has just been asked for.
        autoFocus
        isRequired
      />
      <div className="flex flex-col gap-1.5">
        <label htmlFor={`${note}-field`} className="text-sm font-medium">
          {t('field.description')}
        </label>
        <textarea
          id={`${note}-field`}
          dir="auto"
          rows={3}
          maxLength={2_000}
          aria-describedby={note}
          value={draft.description}
          onChange={({ currentTarget }) => setDraft({ ...draft, description: currentTarget.value })}
          className={`${inputClass} h-auto py-2`}
        />
        <p id={note} className="text-sm text-ink-soft">
          {t('descriptionHint')}
        </p>
      </div>
      {children}
      <FormFailure error={error} />
      <div className="flex flex-wrap-reverse justify-end gap-2">
        <Button onPress={onCancel}>{t('cancel')}</Button>
        <Button type="submit" tone="primary" isPending={isPending} isDisabled={isHeldBack || draft.title.trim() === ''}>
          {action}
        </Button>
      </div>
    </form>
  )
}
