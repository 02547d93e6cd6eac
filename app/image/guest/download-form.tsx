'use client'

import { Download } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import type { LastPost } from '#app/entry/failure-cookie.ts'
import { useEntryForm } from '#app/entry/use-entry-form.ts'
import { FormFailure } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { useFormat } from '#app/ui/use-format.ts'

interface Props {
  image: Pick<ImageItem, 'id' | 'size'>
  slug: string
  last: LastPost | null
}

/** Downloads the original, also without script. A refusal disables the button and shows a countdown below it. */
export function DownloadForm({ image, slug, last }: Props) {
  const t = useTranslations('image')
  const format = useFormat()
  const { submit, error, isHeldBack, isBusy } = useEntryForm({ failure: last?.failure ?? null, stays: true })
  return (
    <>
      <form action="/api/auth/form/download" method="post" onSubmit={submit} className="flex min-w-0 flex-1">
        <input type="hidden" name="id" value={image.id} />
        <input type="hidden" name="slug" value={slug} />
        <Button type="submit" isPending={isBusy} isDisabled={isHeldBack} className="min-w-0 flex-1 px-2">
          <Download size={17} /> {t('download')}
          <span className="figures truncate font-normal opacity-70">{format.bytes(image.size)}</span>
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
