'use client'

import { useMutation } from '@tanstack/react-query'
import { type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { toPath } from '#app/shell/safe-path.ts'
import { Button } from '#app/ui/button.tsx'
import { save } from '#app/ui/save.ts'
import { DownloadLabel } from './download-label.tsx'

/** Downloads the original without its metadata. A refusal disables the button and shows a countdown below it. */
export function DownloadButton({ image }: { image: ImageItem }) {
  const client = useTRPCClient()
  const download = useMutation({
    mutationFn: () => client.image.download.query({ id: image.id }),
    onSuccess: ({ url }) => save(toPath(url)),
  })
  const isHeldBack = useHeldBack(download.error)
  return (
    <>
      <Button
        isPending={download.isPending}
        isDisabled={isHeldBack}
        onPress={() => download.mutate()}
        className="min-w-0 flex-1 px-2!"
      >
        <DownloadLabel size={image.size} />
      </Button>
      {download.error && (
        <div className="order-last w-full">
          <FormFailure error={download.error} />
        </div>
      )}
    </>
  )
}
