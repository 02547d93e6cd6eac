'use client'

import { useMutation } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { EditConflict } from '#app/limits/edit-conflict.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { hasCode } from '#app/limits/message.ts'
import { Button } from '#app/ui/button.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { inputClass } from '#app/ui/input-class.ts'

/** The title, and a field to edit it. The draft stays if saving fails or the title was changed in the meantime. The focus returns to the button afterwards. */
export function TitleEditor({ image, onChange }: { image: ImageItem; onChange: (image: ImageItem) => void }) {
  const t = useTranslations('image')
  const client = useTRPCClient()
  const [draft, setDraft] = useState<string | null>(null)
  const [returnsFocus, setReturnsFocus] = useState(false)
  const close = () => {
    setDraft(null)
    setReturnsFocus(true)
  }
  const replace = async (title: string): Promise<ImageItem> => {
    const { id } = image
    try {
      return await client.image.update.mutate({ id, title, seenTitle: image.title ?? '' })
    } catch (error) {
      if (!hasCode(error, 'CONFLICT')) throw error
      const now = await client.image.get.query({ id })
      throw new EditConflict(t('titleChanged', { title: now.title ?? '' }), now)
    }
  }
  const update = useMutation<ImageItem, Error, string>({
    mutationFn: replace,
    onSuccess: (changed) => {
      close()
      onChange(changed)
    },
    onError: (error) => error instanceof EditConflict && onChange(error.now),
  })
  const isHeldBack = useHeldBack(update.error)
  if (draft === null) {
    return (
      <div className="flex items-start gap-1">
        <h1 dir="auto" className="min-w-0 flex-1 text-lg leading-snug font-semibold break-words">
          {image.title}
        </h1>
        <IconButton
          label={t('editTitle')}
          autoFocus={returnsFocus}
          onPress={() => setDraft(image.title ?? '')}
          className="-mt-1"
        >
          <Pencil size={16} />
        </IconButton>
      </div>
    )
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (draft === image.title) close()
    else update.mutate(draft)
  }
  return (
    <form onSubmit={save} className="flex flex-col gap-2">
      <h1 className="sr-only">{image.title}</h1>
      <input
        dir="auto"
        aria-label={t('titleField')}
        value={draft}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        maxLength={200}
        ref={begin}
        onKeyDown={(event) => event.key === 'Escape' && close()}
        className={inputClass}
      />
      <FormFailure error={update.error} />
      <div className="flex gap-2">
        <Button type="submit" tone="primary" size="small" isPending={update.isPending} isDisabled={isHeldBack}>
          {t('save')}
        </Button>
        <Button tone="quiet" size="small" onPress={close}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}

function begin(input: HTMLInputElement | null): void {
  input?.focus()
  input?.select()
}
