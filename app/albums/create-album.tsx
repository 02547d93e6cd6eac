'use client'

import { useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC, type Visibility } from '#app/connection/trpc.ts'
import { visibilities } from '#app/image/visibilities.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Select } from '#app/ui/select.tsx'
import { AlbumForm } from './album-form.tsx'
import { useAlbumCache } from './use-albums.ts'

/** A button that asks for the title of a new album, and leads to it. */
export function CreateAlbum({ isSmall = false }: { isSmall?: boolean }) {
  const t = useTranslations('albums')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button tone={isSmall ? 'plain' : 'primary'} size={isSmall ? 'small' : 'medium'} onPress={() => setOpen(true)}>
        <Plus size={16} /> {t('create')}
      </Button>
      <Dialog title={t('createTitle')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <NewAlbum onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function NewAlbum({ onClose }: { onClose: () => void }) {
  const t = useTranslations('albums')
  const trpc = useTRPC()
  const router = useRouter()
  const cache = useAlbumCache()
  const [visibility, setVisibility] = useState<Visibility>('private')
  const create = useMutation(
    trpc.album.create.mutationOptions({
      onSuccess: (album) => {
        cache.put(album)
        onClose()
        router.push(`/albums/${album.id}`)
      },
    }),
  )
  return (
    <AlbumForm
      initial={{ title: '', description: '' }}
      error={create.error}
      isPending={create.isPending}
      onSave={(draft) => create.mutate({ ...draft, visibility })}
      onCancel={onClose}
      action={t('create')}
    >
      <Select
        label={t('field.visibility')}
        value={visibility}
        options={visibilities.map((value) => ({ value, label: t(`visibilityName.${value}`) }))}
        onChange={setVisibility}
      />
    </AlbumForm>
  )
}
