'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { Dialog } from '#app/ui/dialog.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { draftFrom, type ShareItem, toSettings } from './draft.ts'
import { ShareForm } from './share-form.tsx'
import { SHARES } from './use-shares.ts'

/** Changes a share. Its link stays, and so does what it has used. */
export default function ChangeDialog({ share, onClose }: { share: ShareItem; onClose: () => void }) {
  const t = useTranslations('sharing')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [initial] = useState(() => draftFrom(share))
  const [draft, setDraft] = useState(initial)
  const update = useMutation(
    trpc.share.update.mutationOptions({
      gcTime: 0,
      onSuccess: async () => {
        void queryClient.invalidateQueries({ queryKey: trpc.share.use.queryKey({ id: share.id }) })
        await queryClient.invalidateQueries({ queryKey: SHARES })
        onClose()
        toast({ title: t('changed') })
      },
    }),
  )
  return (
    <Dialog title={t('changeTitle')} isOpen onClose={onClose} isDismissable={draft === initial}>
      <ShareForm
        draft={draft}
        onChange={setDraft}
        share={share}
        action={t('save')}
        isPending={update.isPending}
        error={update.error}
        onSubmit={() => update.mutate({ id: share.id, ...toSettings(draft, Date.now()) })}
        onClose={onClose}
      />
    </Dialog>
  )
}
