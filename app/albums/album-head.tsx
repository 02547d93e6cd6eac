'use client'

import { useMutation } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type AlbumItem, useTRPCClient } from '#app/connection/trpc.ts'
import { visibilityIcons } from '#app/image/visibilities.ts'
import { EditConflict } from '#app/limits/edit-conflict.ts'
import { hasCode } from '#app/limits/message.ts'
import { IconButton } from '#app/ui/icon-button.tsx'
import { ownerName } from '#app/ui/owner-name.ts'
import { useFormat } from '#app/ui/use-format.ts'
import { type AlbumDraft, AlbumForm } from './album-form.tsx'
import { countText } from './count-text.ts'
import { useAlbumCache } from './use-albums.ts'

/** An album's title and description, edited in place. A draft stays if the title was changed in the meantime. */
export function AlbumHead({ album }: { album: AlbumItem }) {
  const t = useTranslations('albums')
  const format = useFormat()
  const client = useTRPCClient()
  const cache = useAlbumCache()
  const [isEditing, setEditing] = useState(false)
  const [returnsFocus, setReturnsFocus] = useState(false)
  const close = () => {
    setEditing(false)
    setReturnsFocus(true)
  }
  const replace = async (draft: AlbumDraft): Promise<AlbumItem> => {
    try {
      return await client.album.update.mutate({ id: album.id, ...draft, seenTitle: album.title })
    } catch (error) {
      if (!hasCode(error, 'CONFLICT')) throw error
      const now = await client.album.get.query({ id: album.id })
      cache.put(now)
      throw new EditConflict(t('titleChanged', { title: now.title }), now)
    }
  }
  const update = useMutation<AlbumItem, Error, AlbumDraft>({
    mutationFn: replace,
    onSuccess: (changed) => {
      cache.put(changed)
      close()
    },
  })
  if (isEditing) {
    return (
      <div className="max-w-xl py-5">
        <h1 className="sr-only">{album.title}</h1>
        <AlbumForm
          initial={album}
          error={update.error}
          isPending={update.isPending}
          onSave={(draft) => update.mutate(draft)}
          onCancel={close}
          action={t('save')}
        />
      </div>
    )
  }
  const { title, description, visibility, count, mine } = album
  const Icon = visibilityIcons[visibility]
  const owner = mine ? null : ownerName(album.owner)
  const facts = [
    t(`visibilityName.${visibility}`),
    countText(count, t),
    ...(owner === null ? [] : [t('by', { owner })]),
  ]
  return (
    <header className="flex max-w-3xl flex-col gap-1.5 pt-5 pb-4">
      <div className="flex items-start gap-1.5">
        <h1 dir="auto" className="min-w-0 text-2xl leading-tight font-semibold break-words">
          {title}
        </h1>
        {album.mayEdit && (
          <IconButton label={t('edit')} autoFocus={returnsFocus} onPress={() => setEditing(true)}>
            <Pencil size={16} />
          </IconButton>
        )}
      </div>
      <p className="figures flex items-center gap-1.5 text-sm text-ink-soft">
        <Icon size={14} aria-hidden="true" />
        {format.parts(facts)}
      </p>
      {description !== '' && (
        <p dir="auto" className="mt-1 break-words whitespace-pre-line">
          {description}
        </p>
      )}
    </header>
  )
}
