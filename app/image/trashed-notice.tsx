'use client'

import { useMutation } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { type ImageItem, useTRPC } from '#app/connection/trpc.ts'
import { rightsOver } from '#app/gallery/rights.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { useSession } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { Moment, Remaining } from '#app/ui/moment.tsx'

/** Says that an image lies in the trash, and takes it out. */
export function TrashedNotice({ image, onChange }: { image: ImageItem; onChange: (image: ImageItem) => void }) {
  const { account } = useSession()
  const trpc = useTRPC()
  const restore = useMutation(trpc.image.restore.mutationOptions({ onSuccess: onChange }))
  const isHeldBack = useHeldBack(restore.error)
  return (
    <div className="flex flex-col gap-2 rounded-md bg-sunken p-3 text-sm">
      <p>
        This image is in the trash. Its link works for nobody else.
        {image.purgeAt && (
          <>
            {' '}
            It is removed for good on <Moment iso={image.purgeAt} />, <Remaining iso={image.purgeAt} />.
          </>
        )}
      </p>
      {rightsOver(account, image).trash && (
        <Button
          size="small"
          isPending={restore.isPending}
          isDisabled={isHeldBack}
          onPress={() => restore.mutate({ id: image.id })}
          className="self-start"
        >
          <RotateCcw size={16} /> Restore
        </Button>
      )}
      <FormFailure error={restore.error} />
    </div>
  )
}
