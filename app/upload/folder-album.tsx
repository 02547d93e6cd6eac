'use client'

import { useMutation } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPCClient } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { type DroppedFolder, imagesToFile } from './dropped-folder.ts'
import type { UploadQueue } from './upload-queue.ts'

interface Props {
  folder: DroppedFolder
  queue: UploadQueue
  onDismiss: () => void
}

/** Proposes an album with the name of a dropped folder, and files its images there as they arrive. */
export function FolderAlbum({ folder, queue, onDismiss }: Props) {
  const t = useTranslations('upload')
  const client = useTRPCClient()
  const [filed, setFiled] = useState<ReadonlySet<string>>(new Set())
  const create = useMutation({
    mutationFn: () => client.album.create.mutate({ title: folder.name }),
    onError: (error) => reportFailure(t('albumNotCreated'), error, () => create.mutate()),
  })
  const add = useMutation({
    mutationFn: (input: { id: string; images: string[] }) => client.album.add.mutate(input),
    onSuccess: (_, { images }) => setFiled(filed.union(new Set(images))),
    onError: (error, input) => reportFailure(t('albumNotFilled'), error, () => add.mutate(input)),
  })
  const { ready, isComplete } = imagesToFile(queue, folder, filed)
  const album = create.data?.id ?? null
  const file = useEffectEvent((id: string) => add.mutate({ id, images: [...ready] }))
  // After a failure the user retries.
  const isDue = ready.length > 0 && !add.isPending && !add.isError
  useEffect(() => {
    if (album !== null && isDue) file(album)
  }, [album, isDue])
  return (
    <div className="m-2 flex items-center gap-2 rounded-md bg-sunken px-3 py-2 text-sm leading-snug">
      <p className="min-w-0 flex-1 break-words" role="status">
        {album === null
          ? t('albumOffer', { name: folder.name })
          : t('albumFiled', { name: folder.name, count: filed.size })}
      </p>
      {album === null && (
        <Button size="small" isPending={create.isPending} onPress={() => create.mutate()}>
          {t('albumCreate')}
        </Button>
      )}
      {album !== null && isComplete && <Check size={16} className="shrink-0 text-good" />}
      <IconButton label={t('albumDismiss')} onPress={onDismiss}>
        <X size={16} />
      </IconButton>
    </div>
  )
}
