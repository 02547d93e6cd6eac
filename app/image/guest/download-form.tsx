'use client'

import type { ImageItem } from '#app/connection/trpc.ts'
import type { LastPost } from '#app/entry/failure-cookie.ts'
import { useEntryForm } from '#app/entry/use-entry-form.ts'
import { FormFailure } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { DownloadLabel } from '../download-label.tsx'

interface Props {
  image: Pick<ImageItem, 'id' | 'size'>
  slug: string
  last: LastPost | null
}

/** Downloads the original, also without script. A refusal disables the button and shows a countdown below it. */
export function DownloadForm({ image, slug, last }: Props) {
  const { submit, error, isHeldBack, isBusy } = useEntryForm({ failure: last?.failure ?? null, stays: true })
  return (
    <>
      <form action="/api/auth/form/download" method="post" onSubmit={submit} className="flex min-w-0 flex-1">
        <input type="hidden" name="id" value={image.id} />
        <input type="hidden" name="slug" value={slug} />
        <Button type="submit" isPending={isBusy} isDisabled={isHeldBack} className="min-w-0 flex-1 px-2!">
          <DownloadLabel size={image.size} />
        </Button>
      </form>
      {error && (
        <div className="order-last w-full">
          <FormFailure error={error} />
        </div>
      )}
    </>
  )
}
