'use client'

import { useMutation } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { type ImageItem, useTRPC } from '#app/connection/trpc.ts'
import { rightsOver } from '#app/gallery/rights.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { useSession } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { LocalDate, Remaining } from '#app/ui/moment.tsx'

/** Shows that an image is in the trash, and restores it. */
export default function TrashedNotice({ image, onChange }: { image: ImageItem; onChange: (image: ImageItem) => void }) {
  const t = useTranslations('image')
  const { account } = useSession()
  const { purgeAt } = image
  const trpc = useTRPC()
  const restore = useMutation(trpc.image.restore.mutationOptions({ onSuccess: onChange }))
  const isHeldBack = useHeldBack(restore.error)
  return (
    <div className="flex flex-col gap-2 rounded-md bg-sunken p-3 text-sm">
      <p>{t('inTrash')}</p>
      {purgeAt !== null && (
        <p>
          {t.rich('deletedOn', {
            date: () => <LocalDate iso={purgeAt} />,
            remaining: () => <Remaining iso={purgeAt} />,
          })}
        </p>
      )}
      {rightsOver(account, image).trash && (
        <Button
          size="small"
          isPending={restore.isPending}
          isDisabled={isHeldBack}
          onPress={() => restore.mutate({ id: image.id })}
          className="self-start"
        >
          <RotateCcw size={16} /> {t('restore')}
        </Button>
      )}
      <FormFailure error={restore.error} />
    </div>
  )
}
