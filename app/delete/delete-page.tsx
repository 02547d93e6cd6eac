'use client'

import { ImageOff, Trash2 } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import type { Outputs } from '#app/connection/trpc.ts'
import type { LastPost } from '#app/entry/failure-cookie.ts'
import { useEntryForm } from '#app/entry/use-entry-form.ts'
import { FormFailure } from '#app/limits/form-failure.tsx'
import { toPath } from '#app/shell/safe-path.ts'
import { Button } from '#app/ui/button.tsx'
import { buttonClass } from '#app/ui/button-class.ts'

type Deletable = Outputs['image']['showByLink']

interface Props {
  readonly link: string
  readonly image: Deletable
  readonly last: LastPost | null
}

/** Asks a visitor with a deletion link whether to delete the image. The form works without script. */
export function DeletePage({ link, image, last }: Props) {
  const t = useTranslations('deletion')
  const { submit, error, isHeldBack, isBusy } = useEntryForm({ failure: last?.failure ?? null })
  const { trashDays, isFinal } = image
  const restorable = trashDays === 0 ? t('questionText') : t('questionTextDays', { days: trashDays })
  return (
    <form
      action="/api/auth/form/delete"
      method="post"
      onSubmit={submit}
      className="mx-auto flex min-h-[70vh] max-w-md flex-col justify-center gap-6 px-6 py-10"
    >
      <input type="hidden" name="link" value={link} />
      <Thumbnail image={image} />
      <div className="flex flex-col gap-2">
        <h1 className="text-2xl font-semibold tracking-[-0.02em]">{t('question')}</h1>
        <p className="text-ink-soft">{isFinal ? t('questionTextFinal') : restorable}</p>
      </div>
      <FormFailure error={error} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="danger" isPending={isBusy} isDisabled={isHeldBack}>
          <Trash2 size={16} /> {t('delete')}
        </Button>
        <a href="/" className={buttonClass('plain')}>
          {t('keep')}
        </a>
      </div>
    </form>
  )
}

function Thumbnail({ image }: { readonly image: Deletable }) {
  const t = useTranslations('deletion')
  const { thumbnailUrl, title, width, height } = image
  if (thumbnailUrl === null) {
    return (
      <div className="flex items-center gap-3 rounded-md bg-sunken p-4 text-sm text-ink-soft">
        <ImageOff size={20} className="shrink-0" /> {t('isPrivate')}
      </div>
    )
  }
  return (
    <figure className="flex flex-col gap-2">
      <img
        src={toPath(thumbnailUrl)}
        alt={title ?? ''}
        width={width}
        height={height}
        className="checks max-h-72 w-auto self-start rounded-md object-contain shadow-raised"
      />
      {title && <figcaption className="truncate text-sm text-ink-soft">{title}</figcaption>}
    </figure>
  )
}
