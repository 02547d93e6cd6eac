'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { Dialog } from '#app/ui/dialog.tsx'
import { blank, type ShareTarget, toSettings } from './draft.ts'
import { ShareForm } from './share-form.tsx'
import { ShareLink } from './share-link.tsx'
import { SHARES } from './use-shares.ts'

/** Makes a link for images or an album, and shows it until the dialog is closed. */
export default function ShareDialog({ target, onClose }: { target: ShareTarget; onClose: () => void }) {
  const t = useTranslations('sharing')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const create = useMutation(
    trpc.share.create.mutationOptions({
      // The cache must not keep a copy of the password.
      gcTime: 0,
      onSuccess: () => queryClient.invalidateQueries({ queryKey: SHARES }),
    }),
  )
  const [draft, setDraft] = useState(blank)
  const url = create.data?.url
  if (url !== undefined) {
    return (
      <Dialog title={t('created')} isOpen onClose={onClose}>
        <ShareLink url={url} title={draft.title} onClose={onClose} />
      </Dialog>
    )
  }
  const album = 'album' in target ? target : null
  const images = 'images' in target ? [...target.images] : []
  const title = album ? t('createAlbum', { title: album.title }) : t('createTitle', { count: images.length })
  const shown = album ? { album: album.album } : { images }
  return (
    <Dialog title={title} isOpen onClose={onClose} isDismissable={draft === blank}>
      <p className="-mt-2 text-sm text-ink-soft">{t('privacy')}</p>
      <ShareForm
        draft={draft}
        onChange={setDraft}
        share={null}
        action={t('create')}
        isPending={create.isPending}
        error={create.error}
        onSubmit={() => create.mutate({ target: shown, ...toSettings(draft, Date.now()) })}
        onClose={onClose}
      />
    </Dialog>
  )
}
