'use client'

import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { pathOf } from '#app/shell/safe-path.ts'
import { Button } from '#app/ui/button.tsx'
import { save } from '#app/ui/save.ts'
import { formatBytes } from '#format/bytes.ts'

/** Saves the original, which is the file as it came but for its metadata. A refusal is counted down below the button, which works again when it is over. */
export function DownloadButton({ image }: { image: ImageItem }) {
  const client = useTRPCClient()
  const download = useMutation({
    mutationFn: () => client.image.download.query({ id: image.id }),
    onSuccess: ({ url }) => save(pathOf(url)),
  })
  const isHeldBack = useHeldBack(download.error)
  return (
    <>
      <Button
        tone="primary"
        isPending={download.isPending}
        isDisabled={isHeldBack}
        onPress={() => download.mutate()}
        className="min-w-0 flex-1 px-2"
      >
        <Download size={17} /> Download original
        <span className="figures truncate font-normal opacity-70">{formatBytes(image.size)}</span>
      </Button>
      {download.error && (
        <div className="order-last w-full">
          <FormFailure error={download.error} />
        </div>
      )}
    </>
  )
}
