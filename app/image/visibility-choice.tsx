'use client'

import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type ImageItem, useTRPC, type Visibility } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { useSession } from '#app/shell/session.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { ownerName } from '#app/ui/owner-name.ts'
import type { Translate } from '#app/ui/translate.ts'
import { useFormat } from '#app/ui/use-format.ts'
import { visibilities, visibilityIcons } from './visibilities.ts'

function hint(visibility: Visibility, { mine, owner }: ImageItem, gallery: boolean, t: Translate<'image'>): string {
  if (visibility === 'link') return t('linkHint')
  if (visibility === 'public') return gallery ? t('publicHint') : t('publicHintOff')
  return mine ? t('privateHintMine') : t('privateHint', { owner: ownerName(owner) ?? '' })
}

/** Sets the visibility of the image. Asks before it becomes private: an arrow key is enough to choose that, and that deletes the link permanently. */
export function VisibilityChoice({ image, onChange }: { image: ImageItem; onChange: (image: ImageItem) => void }) {
  const t = useTranslations('image')
  const format = useFormat()
  const { gallery } = useSession()
  const [isAsking, setAsking] = useState(false)
  const trpc = useTRPC()
  const update = useMutation(trpc.image.update.mutationOptions({ onSuccess: onChange }))
  const isHeldBack = useHeldBack(update.error)
  const shown = update.isPending ? (update.variables.visibility ?? image.visibility) : image.visibility
  const set = (visibility: Visibility) => update.mutate({ id: image.id, visibility })
  const name = useId()
  const choose = (value: Visibility) => {
    if (value === 'private') setAsking(true)
    else set(value)
  }
  return (
    <>
      <div
        role="radiogroup"
        aria-label={t('visibility')}
        className="overflow-hidden rounded-md border border-line bg-surface"
      >
        {visibilities.map((visibility) => {
          const Icon = visibilityIcons[visibility]
          return (
            <label
              key={visibility}
              className="group relative flex cursor-pointer items-start gap-3 border-line px-3 py-2.5 not-last:border-b hover:bg-hover has-checked:bg-water-soft has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-water has-disabled:opacity-60"
            >
              <input
                type="radio"
                name={name}
                checked={visibility === shown}
                disabled={isHeldBack}
                onChange={() => choose(visibility)}
                className="absolute inset-0 cursor-pointer appearance-none outline-none"
              />
              <Icon size={17} className="mt-0.5 shrink-0 text-ink-soft group-has-checked:text-water" />
              <span className="min-w-0 text-sm">
                <span className="block font-medium">{t(`visibilityName.${visibility}`)}</span>
                <span className="block leading-snug text-ink-soft">
                  {format.sentences([
                    hint(visibility, image, gallery, t),
                    ...(visibility === 'private' && shown !== 'private' ? [t('linkEnds')] : []),
                  ])}
                </span>
              </span>
            </label>
          )
        })}
      </div>
      <FormFailure error={update.error} />
      <Confirm
        isOpen={isAsking}
        title={t('makePrivateTitle')}
        action={t('makePrivate')}
        onClose={() => setAsking(false)}
        onConfirm={() => set('private')}
      >
        {t('linkEnds')}
      </Confirm>
    </>
  )
}
